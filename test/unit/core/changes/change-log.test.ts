import { Readable } from 'node:stream';
import { expect } from 'chai';
import type { TransferRecord } from '../../../../core/index.ts';
import type { ListChanges } from '../../../../core/changes/list.ts';
import type { ChangeSlice } from '../../../../core/changes/slice.ts';
import type { LoggedChange } from '../../../../core/model/log/change.ts';
import type { TaskView } from '../../../../core/task/view.ts';
import { newTeam, type Team } from '../../../fixtures/world/team.ts';

describe('the change log of a workspace', () => {
  let team: Team;
  let offset: number;

  /** What the call leaves in it. */
  const logged = async (call: () => Promise<unknown>): Promise<readonly LoggedChange[]> => {
    const { store } = team.world;
    offset = (await store.read((tx) => tx.changeLog.head(team.workspaceId))).last;
    await call();
    await team.world.purge();
    return store.read((tx) => tx.changeLog.list(team.workspaceId, offset, 1_000));
  };
  const said = ({ kind, action, recordId, fields }: LoggedChange): unknown[] => [kind, action, recordId, [...fields]];

  beforeEach(async () => {
    team = await newTeam();
  });

  it('has one change for each record of a transaction, in the order of commits whatever the clock says', async () => {
    const { owner, at, world } = team;
    const board = await team.board('Board');
    const [first, second] = [await team.task(board.id, 'First'), await team.task(board.id, 'Second')];
    const moved = await logged(async () => {
      await owner.tasks.update({ ...at, taskId: second, statusOrderKey: 1_024, title: 'Now first' });
      world.pass(-60_000);
      await owner.tasks.update({ ...at, taskId: first, priority: 100 });
    });
    expect(moved.map(({ recordId }) => recordId).toSorted()).to.deep.equal([first, first, second].toSorted());
    const of = moved.find(({ recordId }) => recordId === second)!;
    expect(of).to.deep.include({ action: 'update', version: 2, pageId: board.id, boardId: board.id });
    expect(of.fields.toSorted()).to.deep.equal(['statusOrderKey', 'title']);
    expect(moved.map(({ seq, part }) => seq + part)).to.deep.equal([offset + 1, offset + 2, offset + 3]);
    expect(moved[0]!.seq).to.equal(moved[1]!.seq);
    expect(moved[2]!.at < moved[1]!.at).to.equal(true);
  });

  it('tells where a record is governed now, and where it was before', async () => {
    const { owner, at } = team;
    const [here, there] = [await team.board('Here'), await team.board('There')];
    const taskId = await team.task(here.id, 'Task');
    const [moved] = await logged(() => owner.tasks.update({ ...at, taskId, boardId: there.id }));
    expect(moved).to.deep.include({ pageId: there.id, fromPageId: here.id, boardId: there.id, fromBoardId: here.id });
    const opened = await logged(() => owner.pages.create({ ...at, name: 'Task', type: 'task', taskId }));
    expect(opened.map(said)).to.deep.include(['task', 'update', taskId, ['pageId']]);
    const task = opened.find(({ kind }) => kind === 'task');
    expect(task).to.deep.include({ pageId: taskId, fromPageId: there.id, boardId: there.id });
    const [back] = await logged(() => owner.tasks.update({ ...at, taskId, boardId: here.id }));
    expect(back).to.deep.include({ pageId: taskId, fromPageId: null, boardId: here.id, fromBoardId: there.id });
  });

  it('has a comment without its task, whose count of comments is derived', async () => {
    const { owner, at } = team;
    const board = await team.board('Board');
    const taskId = await team.task(board.id, 'Task');
    const [change, ...others] = await logged(() => owner.comments.create({ ...at, taskId, content: 'Well' }));
    expect(change).to.deep.include({ kind: 'comment', action: 'create', taskId, pageId: board.id, boardId: board.id });
    expect(others).to.deep.equal([]);
  });

  it('has a deletion by its topmost page, and nothing of what is purged after it', async () => {
    const { owner, at } = team;
    const folder = await team.page('Folder');
    const board = await team.board('Board', folder);
    await team.task(board.id, 'Task');
    const changes = await logged(() => owner.pages.delete({ ...at, pageId: folder }));
    expect(changes.map(said)).to.deep.equal([['page', 'delete', folder, []]]);
  });

  it('has what a task loses with one that is purged: its links', async () => {
    const { owner, at } = team;
    const folder = await team.page('Folder');
    const board = await team.board('Board');
    const [kept, gone] = [await team.task(board.id, 'Kept'), await team.task(board.id, 'Gone')];
    await owner.pages.create({ ...at, name: 'Gone', type: 'task', taskId: gone, parentId: folder });
    await owner.tasks.link({ ...at, fromTaskId: gone, type: 'relates', taskId: kept });
    const changes = await logged(() => owner.pages.delete({ ...at, pageId: folder }));
    expect(changes.map(said)).to.deep.equal([
      ['page', 'delete', folder, []],
      ['task', 'update', kept, ['links']],
    ]);
    expect(changes[1]).to.deep.include({ version: 3, pageId: board.id, userId: null });
  });

  it('has who joins and who leaves as made and removed', async () => {
    const { at, member } = team;
    const left = await logged(() => member.members.remove({ ...at, memberId: member.memberId }));
    expect(left.map(said)).to.deep.include(['member', 'delete', member.memberId, []]);
    const { id } = await team.owner.invitations.create({ ...at, role: 20 });
    const joined = await logged(() => member.invitations.join({ invitationId: id }));
    expect(joined.map(said)).to.deep.include(['member', 'create', member.memberId, []]);
  });

  it('tells every workspace of a user what has changed of their profile, in steps after it', async () => {
    const { member, world, at } = team;
    const others: string[] = [];
    for (let n = 0; n < 20; n += 1) others.push((await member.workspaces.create({ name: `Own ${n}` })).id);
    const changes = await logged(() => member.me.update({ name: 'Renamed', phone: '1' }));
    expect(changes.map(said)).to.deep.equal([['member', 'update', member.memberId, ['name', 'phone']]]);
    expect(changes[0]!.userId).to.equal(member.userId);
    for (const workspaceId of others) {
      const all = await world.store.read((tx) => tx.changeLog.list(workspaceId, 0, 100));
      expect(all.at(-1)!.fields).to.deep.equal(['name', 'phone']);
    }
    expect(await world.store.read((tx) => tx.jobs.list('all', {}, { limit: 9 }))).to.deep.equal([]);
    expect(
      await logged(() => world.operator.users.update({ userId: member.userId, administrator: true })),
    ).to.deep.equal([]);
    expect((await team.owner.members.list(at)).map(({ name }) => name)).to.include('Renamed');
  });

  it('has nothing of an import while nobody can reach it, then its page', async () => {
    const { admin, workspaceId, world } = team;
    const tasks = Array.from({ length: 300 }, (_, n) => ({ externalId: `T${n}`, title: `t${n}`, status: 'To do' }));
    const input = { workspaceId, memberId: admin.memberId, externalId: 'B', name: 'Imported' };
    const statuses = [{ name: 'To do' }];
    const changes = await logged(() => world.operator.imports.board({ ...input, statuses, tags: [], tasks }));
    expect(changes.map(({ kind, action }) => [kind, action])).to.deep.equal([['page', 'create']]);
  });

  it('begins anew where a workspace of the same id is imported', async () => {
    const { owner, at, workspaceId, world } = team;
    await team.board('Board');
    const records: TransferRecord[] = [];
    await world.operator.exports.workspace({ workspaceId, sink: (record) => void records.push(record) });
    await owner.workspaces.delete(at);
    await world.purge();
    await world.operator.imports.workspace({ records: Readable.from(records) as AsyncIterable<TransferRecord> });
    const head = await world.store.read((tx) => tx.changeLog.head(workspaceId));
    expect(head.floor).to.equal(head.last);
    const [page] = await logged(() => team.page('After'));
    expect(page!.seq).to.equal(head.last + 1);
  });
});

describe('the records that come with events', () => {
  it('hold at most 250 comments in one answer, unless it is about one change', async () => {
    const { owner, at, board, task } = await newTeam();
    const { id: boardId } = await board('Board');
    const taskIds: string[] = [];
    for (const title of ['One', 'Two', 'Three']) taskIds.push(await task(boardId, title));
    for (const taskId of taskIds) {
      for (let n = 0; n < 100; n += 1) await owner.comments.create({ ...at, taskId, content: 'Yes.' });
    }
    let since = '';
    await owner.workspaces.get(at, { onCursor: (cursor) => void (since = cursor) });
    for (const taskId of taskIds) await owner.tasks.update({ ...at, taskId, priority: 100 });
    expect((await owner.changes.list({ ...at, since })).items).to.have.length(3);
    const answers: { readonly ids: readonly unknown[]; readonly comments: number }[] = [];
    for (let next: string | null = since; next !== null;) {
      const slice: ChangeSlice = await owner.changes.list({ ...at, since: next, include: ['record'] });
      const records = slice.items.map(({ record }) => record as TaskView);
      const comments = records.reduce((sum, record) => sum + record.comments.length, 0);
      answers.push({ ids: records.map(({ id }) => id), comments });
      next = slice.next;
    }
    expect(answers.flatMap(({ ids }) => ids)).to.deep.equal(taskIds);
    for (const { comments } of answers) expect(comments).to.be.at.most(250);
  });

  it('hold at most 50 of the longest descriptions in one answer', async () => {
    const { owner, at, board } = await newTeam();
    const { id: boardId } = await board('Board');
    let since = '';
    await owner.workspaces.get(at, { onCursor: (cursor) => void (since = cursor) });
    const description = 'd'.repeat(50_000);
    await owner.tasks.createMany({
      ...at,
      tasks: Array.from({ length: 70 }, (_, n) => ({ boardId, title: `${n}`, description })),
    });
    const first = await owner.changes.list({ ...at, since, include: ['record'] });
    expect(first.items).to.have.length.within(1, 50);
    const titles: unknown[] = [];
    for (let next: string | null = since; next !== null;) {
      const slice: ChangeSlice = await owner.changes.list({ ...at, since: next, include: ['record'] });
      titles.push(...slice.items.map(({ record }) => (record as TaskView).title));
      next = slice.next;
    }
    expect(titles).to.deep.equal(Array.from({ length: 70 }, (_, n) => `${n}`));
  });

  it('count the comments of tasks whose board goes out of sight, too: more than that are read anew', async () => {
    const { owner, member, at, board, task, grant } = await newTeam(undefined, 0);
    const { id: boardId } = await board('Board');
    await grant(boardId, member, 100);
    for (const title of ['One', 'Two', 'Three']) {
      const taskId = await task(boardId, title);
      await owner.pages.create({ ...at, name: title, type: 'task', taskId });
      await grant(taskId, member, 100);
      for (let n = 0; n < 700; n += 1) await owner.comments.create({ ...at, taskId, content: 'Yes.' });
    }
    let since = '';
    await member.workspaces.get(at, { onCursor: (cursor) => void (since = cursor) });
    await owner.access.revoke({ ...at, pageId: boardId, memberId: member.memberId });
    const types = async (include: ListChanges['include']) =>
      (await member.changes.list({ ...at, since, include: include! })).items.map(({ type }) => type);
    expect(await types([])).to.include.members(['page.hide', 'task.update']);
    expect(await types(['record'])).to.deep.equal(['scope']);
  });

  it('count the statuses and tags of boards', async () => {
    const { owner, at, board } = await newTeam();
    const boardIds = [(await board('One')).id, (await board('Two')).id, (await board('Three')).id];
    for (const boardId of boardIds) {
      for (let n = 0; n < 700; n += 1) await owner.tags.create({ ...at, boardId, name: `Tag ${n}` });
    }
    let since = '';
    await owner.workspaces.get(at, { onCursor: (cursor) => void (since = cursor) });
    for (const boardId of boardIds) await owner.boards.update({ ...at, boardId, description: 'Changed' });
    const { items, next } = await owner.changes.list({ ...at, since, include: ['record'] });
    expect(items.map(({ id }) => id)).to.deep.equal(boardIds.slice(0, 1));
    expect(next).to.not.equal(null);
  });
});
