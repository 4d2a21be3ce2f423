import { expect } from 'chai';
import type { Session } from '../../../../core/session.ts';
import { newTeam } from '../../../fixtures/world/team.ts';
import { outcome } from '../../../fixtures/world/world.ts';
import { ALL, withTree, shape } from '../../../fixtures/suite/copied-tree.ts';

describe('a copy', () => {
  it('has all that is seen below the page, with new ids, and nothing of access and other systems', async () => {
    const team = await newTeam();
    const { owner, at } = team;
    const { folder, board, ids } = await withTree(team);
    await team.grant(board.id, team.guest, 200);
    const before = await shape(owner, at, folder);
    const { id, page, restricted } = await owner.pages.copy({ ...at, pageId: folder, name: ' Twin ', ...ALL });
    expect([page!.id, page!.name, page!.parentId, restricted]).to.deep.equal([id, 'Twin', null, 1]);
    const after = await shape(owner, at, id);
    const without = (tasks: typeof before.tasks) =>
      tasks.map((list) => list.map((task) => ({ ...task, externalId: null })));
    expect(after).to.deep.equal({ ...before, tasks: without(before.tasks) });
    expect(await shape(owner, at, folder)).to.deep.equal(before);
    const pages = await owner.pages.list(at);
    expect(new Set(pages.map((one) => one.id)).size).to.equal(pages.length);
    const { items } = await owner.tasks.list({ ...at, limit: 500 });
    expect(new Set(items.map((task) => task.id)).size).to.equal(2 * ids.length);
    expect(items.map(({ num }) => num)).to.deep.equal([1, 2, 3, 4, 5, 6]);
    expect((await team.guest.boards.list(at)).map((one) => one.id)).to.deep.equal([board.id]);
    expect((await team.world.operator.doctor.check()).findings).to.deep.equal([]);
  });

  it('leaves out tasks, comments and assignees unless they are asked for', async () => {
    const team = await newTeam();
    const { owner, at } = team;
    const { folder, board } = await withTree(team);
    const bare = await owner.pages.copy({ ...at, pageId: folder });
    const { pages, boards, tasks } = await shape(owner, at, bare.id);
    expect(pages.map(([name]) => name)).to.deep.equal([null, 'Board']);
    expect(boards[0]!.statuses.map(({ name, taskCount }) => [name, taskCount])).to.deep.equal([
      ['To do', 0],
      ['Done', 0],
    ]);
    expect(tasks).to.deep.equal([[]]);
    const plain = await owner.boards.copy({ ...at, boardId: board.id, parentId: folder, tasks: true });
    const [copied] = (await shape(owner, at, plain.id)).tasks;
    expect(copied!.map(({ title, assignees, comments }) => [title, assignees, comments])).to.deep.equal([
      ['A', [], []],
      ['C', [], []],
      ['B', [], []],
    ]);
    expect(plain.board!.name).to.equal('Board');
  });

  it('is also of boards without columns', async () => {
    const team = await newTeam();
    const { owner, at } = team;
    const { folder } = await withTree(team);
    const { id: boardId } = await owner.boards.create({ ...at, name: 'Empty', parentId: folder });
    const alone = await owner.boards.copy({ ...at, boardId, ...ALL });
    expect(alone.board!.statuses).to.deep.equal([]);
    const before = await shape(owner, at, folder);
    const { id } = await owner.pages.copy({ ...at, pageId: folder, ...ALL });
    const { pages, boards } = await shape(owner, at, id);
    expect([pages, boards]).to.deep.equal([before.pages, before.boards]);
  });

  it('is of what the caller sees, and governed by the page above it', async () => {
    const team = await newTeam();
    const { owner, at, member } = team;
    const { folder, ids, inner } = await withTree(team);
    await team.grant(inner, member, 0);
    await team.grant(ids[2]!, member, 100);
    const secret = await team.board('Secret', folder);
    await team.grant(secret.id, member, 0);
    const { id } = await member.pages.copy({ ...at, pageId: folder, ...ALL });
    const { pages } = await shape(owner, at, id);
    expect(pages.map(([name]) => name)).to.deep.equal([null, 'Board', 'C']);
    expect(await team.access(member, id)).to.equal(400);
    await team.grant(ids[2]!, member, 0);
    const without = await member.pages.copy({ ...at, pageId: folder, ...ALL });
    const [tasks] = (await shape(owner, at, without.id)).tasks;
    expect(tasks!.map(({ title }) => title)).to.deep.equal(['A', 'B']);
  });

  it('needs the source in sight, and what creating at the target needs', async () => {
    const team = await newTeam();
    const { at, guest, member } = team;
    const { folder, board } = await withTree(team);
    const other = await team.page('Other');
    const copy = (by: Session, parentId: string | null) =>
      outcome(by.boards.copy({ ...at, boardId: board.id, parentId }));
    expect(await copy(guest, null)).to.equal('not-found');
    await team.grant(board.id, guest, 100);
    expect(await copy(guest, null)).to.equal('forbidden');
    expect(await copy(guest, other)).to.equal('unusable-reference');
    await team.grant(other, guest, 300);
    expect(await copy(guest, other)).to.equal('ok');
    await team.grant(other, member, 200);
    expect(await copy(member, other)).to.equal('forbidden');
    expect(await outcome(member.boards.copy({ ...at, boardId: folder }))).to.equal('not-found');
  });

  it('keeps assignees who see it', async () => {
    const team = await newTeam();
    const { owner, at, member } = team;
    const { board } = await withTree(team);
    const hidden = await team.page('Hidden');
    await team.grant(hidden, member, 0);
    const { id } = await owner.boards.copy({ ...at, boardId: board.id, parentId: hidden, ...ALL });
    const [tasks] = (await shape(owner, at, id)).tasks;
    expect(tasks!.flatMap(({ assignees }) => assignees)).to.deep.equal([]);
  });

  it('keeps items of checklists for members who see it, whether or not assignees are copied', async () => {
    const team = await newTeam();
    const { owner, at, member, admin } = team;
    const { board, ids } = await withTree(team);
    const taskId = ids[2]!;
    for (const { memberId: assigneeId } of [member, admin]) {
      await owner.checklists.create({ ...at, taskId, text: 'for', assigneeId });
    }
    const parentId = await team.page('Target');
    await team.grant(parentId, member, 0);
    for (const [assignees, kept] of [
      [true, [null, null, admin.memberId]],
      [false, [null, null, null]],
    ] as const) {
      const { id } = await owner.boards.copy({ ...at, boardId: board.id, parentId, ...ALL, assignees });
      const { items } = await owner.tasks.list({ ...at, boardId: [id], q: 'C' });
      const { checklist } = await owner.tasks.get({ ...at, taskId: items[0]!.id });
      expect(checklist.map(({ assigneeId }) => assigneeId)).to.deep.equal(kept);
    }
  });

  it('takes along all comments of a task, however many', async () => {
    const team = await newTeam();
    const { owner, at } = team;
    const { board, ids } = await withTree(team);
    for (let n = 0; n < 130; n += 1) await owner.comments.create({ ...at, taskId: ids[1]!, content: `c${n}` });
    const before = (await shape(owner, at, board.id)).tasks[0]!.map(({ comments }) => comments);
    const { id } = await owner.boards.copy({ ...at, boardId: board.id, ...ALL });
    expect((await shape(owner, at, id)).tasks[0]!.map(({ comments }) => comments)).to.deep.equal(before);
  });

  it('shows itself to readers of changes at once, by its topmost page', async () => {
    const team = await newTeam();
    const { owner, at } = team;
    const { folder } = await withTree(team);
    let since = '';
    await owner.pages.list(at, { onCursor: (cursor) => void (since = cursor) });
    const { id } = await owner.pages.copy({ ...at, pageId: folder, ...ALL });
    const { items } = await owner.changes.list({ ...at, since });
    expect(items.map((event) => [event.type, event.id])).to.deep.equal([['page.show', id]]);
  });
});
