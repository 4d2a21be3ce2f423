import { expect } from 'chai';
import type { Session } from '../../../core/session.ts';
import type { LinkType } from '../../../core/index.ts';
import { memoryStore } from '../../../adapters/store-memory/index.ts';
import { countingGets } from '../../fixtures/counted-gets.ts';
import { newTeam, type Team } from '../../fixtures/team.ts';
import { finishJobs } from '../../fixtures/jobs.ts';
import { DAY, newWorld, outcome, type World } from '../../fixtures/world.ts';
import { WatchedStore } from '../../fixtures/watched-store.ts';

const ALL = { tasks: true, comments: true, assignees: true } as const;

/** A folder with a board of tasks, of which one has a page, and another folder. */
async function withTree(team: Team) {
  const { owner, at } = team;
  const folder = await team.page('Folder');
  const board = await team.board('Board', folder);
  const { id: done } = await owner.statuses.create({ ...at, boardId: board.id, name: 'Done', done: true });
  const { id: tag } = await owner.tags.create({ ...at, boardId: board.id, name: 'red' });
  const made = await owner.tasks.createMany({
    ...at,
    tasks: [
      { boardId: board.id, title: 'A', tags: [tag], assignees: [team.member.memberId], metadata: { points: 3 } },
      { boardId: board.id, title: 'B', statusId: done, externalId: 'x', plannedEndDate: '2026-04-01' },
      { boardId: board.id, title: 'C', description: 'text' },
    ],
  });
  const ids = made.map(({ id }) => id);
  await owner.comments.create({ ...at, taskId: ids[0]!, content: 'first' });
  await team.member.comments.create({ ...at, taskId: ids[0]!, content: 'second' });
  await owner.checklists.create({ ...at, taskId: ids[2]!, text: 'step', done: true });
  await owner.pages.create({ ...at, name: 'C', type: 'task', parentId: folder, taskId: ids[2]! });
  const inner = await team.page('Inner', ids[2]);
  return { folder, board, done, tag, ids, inner };
}

/** What can be compared of a subtree: without ids, places in time and who made it. */
async function shape(session: Session, at: { workspaceId: string }, rootId: string) {
  const pages = await session.pages.list(at);
  const below = new Set([rootId]);
  const found = pages.filter(
    ({ id, parentId }) => below.has(id) || (parentId !== null && below.has(parentId) && below.add(id)),
  );
  const names = new Map(found.map(({ id, name }) => [id, id === rootId ? null : name]));
  const boards = await Promise.all(
    found.filter(({ type }) => type === 'board').map(({ id }) => session.boards.get({ ...at, boardId: id })),
  );
  const tasks = await Promise.all(
    boards.map(async ({ id, statuses, tags }) => {
      const { items } = await session.tasks.list({ ...at, boardId: [id], sort: ['position'], limit: 500 });
      const full = await Promise.all(items.map((task) => session.tasks.get({ ...at, taskId: task.id })));
      return full.map((task) => ({
        title: task.title,
        description: task.description,
        complete: task.complete,
        status: statuses.find((one) => one.id === task.statusId)?.name,
        tags: task.tags.map((one) => tags.find((known) => known.id === one)?.name),
        key: task.statusOrderKey,
        end: task.dateEnd,
        metadata: task.metadata,
        assignees: task.assignees,
        externalId: task.externalId,
        page: task.pageId === null ? null : names.get(task.pageId),
        comments: task.comments.map(({ content, authorId }) => [content, authorId]),
        checklist: task.checklist.map(({ text, done }) => [text, done]),
      }));
    }),
  );
  return {
    pages: found.map(({ name, type, parentId, contentId, id }) => [
      id === rootId ? null : name,
      type,
      id === rootId ? null : names.get(parentId!),
      contentId === null ? null : contentId === id,
    ]),
    boards: boards.map(({ description, statuses, tags }) => ({
      description,
      statuses: statuses.map(({ name, orderKey, done, taskCount }) => ({ name, orderKey, done, taskCount })),
      tags: tags.map(({ name, color }) => ({ name, color })),
    })),
    tasks,
  };
}

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

  it('keeps items of checklists for members who see it, whomever their task is for', async () => {
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

/** A world whose store can go out of reach while a copy is made, as if the process had ended there. */
async function slowly(given?: World) {
  const store = new WatchedStore(memoryStore());
  const world = given ?? newWorld(store);
  const team = await newTeam(world);
  const { owner, at } = team;
  const board = await team.board('Board');
  const tasks = Array.from({ length: 230 }, (_, n) => ({ boardId: board.id, title: `t${n}` }));
  await owner.tasks.createMany({ ...at, tasks });
  return { store, team, board, owner, at, world };
}

describe('a copy that is being made', () => {
  it('is answered for after two seconds, and comes into sight later', async () => {
    const times: number[] = [];
    const after = (milliseconds: number, run: () => void) => (times.push(milliseconds), run(), () => undefined);
    const { owner, at, board, world } = await slowly(newWorld(memoryStore(), 0, { after }));
    const { id, board: copy } = await owner.boards.copy({ ...at, boardId: board.id, tasks: true });
    expect([copy, times.includes(2_000)]).to.deep.equal([null, true]);
    expect(await outcome(owner.boards.get({ ...at, boardId: id }))).to.equal('not-found');
    world.pass(10_000);
    await world.purge();
    expect((await owner.tasks.list({ ...at, boardId: [id], limit: 1, count: true })).total).to.equal(230);
  });

  it('is out of sight until it is whole, in steps of 50 records', async () => {
    const { store, team, board, owner, at, world } = await slowly();
    const before = store.written.length;
    store.reach = 3;
    const begun = await owner.boards.copy({ ...at, boardId: board.id, tasks: true });
    expect(begun.board).to.equal(null);
    store.reach = Infinity;
    expect((await owner.boards.list(at)).map(({ id }) => id)).to.deep.equal([board.id]);
    expect((await owner.tasks.list({ ...at, limit: 1, count: true })).total).to.equal(230);
    expect((await team.world.operator.doctor.check()).findings).to.deep.equal([]);
    world.pass(10_000);
    await world.purge();
    expect((await owner.boards.list(at)).map(({ id }) => id)).to.have.members([board.id, begun.id]);
    expect((await owner.tasks.list({ ...at, limit: 1, count: true })).total).to.equal(460);
    expect(Math.max(...store.written.slice(before))).to.be.at.most(60);
    expect((await team.world.operator.doctor.check()).findings).to.deep.equal([]);
  });

  for (const [name, lose] of [
    ['the source is hidden', (team: Team, boardId: string) => team.grant(boardId, team.member, 0)],
    ['the source is deleted', (team: Team, boardId: string) => team.owner.boards.delete({ ...team.at, boardId })],
    [
      'nothing may be put at the target any more',
      (team: Team) => team.owner.workspaces.update({ ...team.at, defaultAccess: 100 }),
    ],
    ['a quota is reached', (team: Team) => team.world.operator.quotas.update({ tasks: 300 })],
  ] as const) {
    it(`is given up where ${name}: nothing of it is left, and its maker is told for a day`, async () => {
      const { store, team, board, at, world } = await slowly();
      const { member, owner } = team;
      store.reach = 4;
      const begun = await member.boards.copy({ ...at, boardId: board.id, tasks: true });
      store.reach = Infinity;
      await lose(team, board.id);
      world.pass(10_000);
      await world.purge();
      const jobs = await store.read((tx) => tx.jobs.list('all', {}, { limit: 9 }));
      expect(jobs.map(({ kind }) => kind)).to.deep.equal(['copy-failed']);
      const address = { ...at, boardId: jobs[0]!.id };
      expect(begun.id).to.equal(address.boardId);
      expect(await outcome(member.boards.get(address))).to.equal('copy-failed');
      expect(await outcome(member.pages.get({ ...at, pageId: address.boardId }))).to.equal('copy-failed');
      expect(await outcome(owner.boards.get(address))).to.equal('not-found');
      const stored = await store.read((tx) =>
        tx.tasks.count({ workspaceId: at.workspaceId, scope: null, filters: [] }),
      );
      expect(stored).to.be.oneOf([0, 230]);
      expect((await world.operator.doctor.check()).findings).to.deep.equal([]);
      world.pass(DAY + 1);
      await world.purge();
      expect(await outcome(member.boards.get(address))).to.equal('not-found');
    });
  }

  it('takes what changes meanwhile as it is then, and loses no task to it', async () => {
    const { store, team, board, owner, at } = await slowly();
    store.reach = 4;
    const begun = await owner.boards.copy({ ...at, boardId: board.id, tasks: true });
    store.reach = Infinity;
    const { items } = await owner.tasks.list({ ...at, limit: 500 });
    const { id: late } = await owner.statuses.create({ ...at, boardId: board.id, name: 'Late' });
    await owner.tasks.update({ ...at, taskId: items.at(-1)!.id, title: 'changed', statusId: late });
    // In the place of one that is copied already.
    await owner.tasks.update({ ...at, taskId: items.at(-2)!.id, statusOrderKey: items[0]!.statusOrderKey! });
    team.world.pass(10_000);
    await team.world.purge();
    const titles = (await owner.tasks.list({ ...at, boardId: [begun.id], limit: 500 })).items.map(({ title }) => title);
    expect([titles.length, titles.at(-1)]).to.deep.equal([230, 'changed']);
  });

  it('counts the pages elsewhere of its tasks among those whose access is not taken along', async () => {
    const team = await newTeam();
    const { owner, member, at } = team;
    const [board, elsewhere] = [await team.board('Board'), await team.page('Elsewhere')];
    const ids = await Promise.all(['open', 'set', 'hidden'].map((title) => team.task(board.id, title)));
    for (const taskId of ids) await owner.pages.create({ ...at, name: 'p', type: 'task', taskId, parentId: elsewhere });
    await owner.access.changeSettings({ ...at, pageId: ids[1]!, inherit: false, defaultAccess: 100 });
    await team.grant(ids[2]!, member, 0);
    const restricted = async (by: typeof owner, tasks: boolean) =>
      (await by.boards.copy({ ...at, boardId: board.id, tasks })).restricted;
    expect([await restricted(owner, true), await restricted(owner, false)]).to.deep.equal([2, 0]);
    expect(await restricted(member, true)).to.equal(1);
  });

  it('is one of few that a member may have unfinished', async () => {
    const { store, team, board, owner, at, world } = await slowly();
    const copy = (by: typeof owner) => outcome(by.boards.copy({ ...at, boardId: board.id, tasks: true }));
    const begin = async (by: typeof owner) => {
      store.reach = 2;
      const code = await copy(by);
      store.reach = Infinity;
      return code;
    };
    for (let n = 0; n < 10; n += 1) expect(await begin(owner)).to.equal('ok');
    expect(await copy(owner)).to.equal('quota-exceeded');
    expect(await begin(team.member)).to.equal('ok');
    world.pass(10_000);
    await world.purge();
    expect((await owner.boards.list(at)).length).to.equal(12);
    expect(await copy(owner)).to.equal('ok');
  });

  it('tells of the last 100 failures in a workspace, and of each member for themself', async () => {
    const team = await newTeam();
    const { owner, member, at, world } = team;
    const board = await team.board('Board');
    await team.task(board.id, 'task');
    await world.operator.quotas.update({ tasks: 1 });
    const fail = async (by: typeof owner) =>
      expect(await outcome(by.boards.copy({ ...at, boardId: board.id, tasks: true }))).to.equal('copy-failed');
    await fail(member);
    for (let n = 0; n < 102; n += 1) await fail(owner);
    await world.purge();
    const jobs = await world.store.read((tx) => tx.jobs.list('all', {}, { limit: 500 }));
    const by = jobs.map((job) => (job.kind === 'copy-failed' ? job.userId : job.kind));
    expect([by.length, by.filter((one) => one === member.userId).length]).to.deep.equal([100, 1]);
  });

  it('leaves nothing behind where its workspace is removed', async () => {
    const { store, board, owner, at, world } = await slowly();
    store.reach = 4;
    await owner.boards.copy({ ...at, boardId: board.id, tasks: true });
    store.reach = Infinity;
    await owner.workspaces.delete(at);
    // Steps of its removal first, as another process may do them.
    await finishJobs(world.ports);
    world.pass(10_000);
    await world.purge();
    expect(await store.read((tx) => tx.jobs.list('all', {}, { limit: 9 }))).to.deep.equal([]);
    expect((await world.operator.doctor.check()).findings).to.deep.equal([]);
  });
});

describe('the links of copied tasks', () => {
  it('are kept among them, whichever is copied first, and left out to others', async () => {
    const team = await newTeam();
    const { owner, member, at, grant } = team;
    const folder = await team.page('Folder');
    const { id: one } = await team.board('One', folder);
    const { id: two } = await team.board('Two', folder);
    const { id: secret } = await team.board('Secret', folder);
    const { id: outside } = await team.board('Outside');
    await grant(secret, member, 0);
    const [a, b, c] = [await team.task(one, 'a'), await team.task(two, 'b'), await team.task(one, 'c')];
    const [hidden, other] = [await team.task(secret, 'hidden'), await team.task(outside, 'other')];
    const link = (fromTaskId: string, type: LinkType, taskId: string) =>
      owner.tasks.link({ ...at, fromTaskId, type, taskId });
    await link(a, 'parent', b);
    await link(c, 'parent', b);
    await link(b, 'blocks', c);
    await link(c, 'blocks', a);
    for (const away of [hidden, other]) await link(a, 'relates', away);
    const { id } = await member.pages.copy({ ...at, pageId: folder, tasks: true });
    const pages = await owner.pages.list(at);
    const boardId = pages.filter(({ parentId }) => parentId === id).map((page) => page.id);
    const { items } = await owner.tasks.list({ ...at, boardId, sort: ['title'] });
    const names = new Map(items.map((task) => [task.id, task.title]));
    const shown = await Promise.all(items.map((task) => owner.tasks.get({ ...at, taskId: task.id })));
    expect(
      shown.map(({ title, links }) => [title, ...links.map(({ type, taskId }) => `${type} ${names.get(taskId!)}`)]),
    ).to.deep.equal([
      ['a', 'parent b', 'blockedBy c'],
      ['b', 'child a', 'child c', 'blocks c'],
      ['c', 'parent b', 'blocks a', 'blockedBy b'],
    ]);
    expect((await team.world.operator.doctor.check()).findings).to.deep.equal([]);
  });

  it('are checked together: each transaction reads a bounded number of tasks', async () => {
    const { store, gets } = countingGets(memoryStore());
    const team = await newTeam(newWorld(store));
    const { owner, at } = team;
    const { id: boardId } = await team.board('Board');
    const add = async (count: number) => {
      const tasks = Array.from({ length: count }, (_, i) => ({ boardId, title: `${i}` }));
      return (await owner.tasks.createMany({ ...at, tasks })).map(({ id }) => id);
    };
    const [blocking, blocked, after, last] = [await add(30), await add(30), await add(30), await add(30)];
    // It is copied last, when all that it is linked to is there.
    const middle = await add(2);
    const layers = [blocking, blocked, middle, after, last];
    for (const [i, layer] of layers.entries()) {
      for (const fromTaskId of layer) {
        for (const taskId of layers[i + 1] ?? []) await owner.tasks.link({ ...at, fromTaskId, type: 'blocks', taskId });
      }
    }
    gets.length = 0;
    const { id } = await owner.boards.copy({ ...at, boardId, tasks: true });
    expect(Math.max(...gets)).to.be.below(700);
    const { items } = await owner.tasks.list({ ...at, boardId: [id], sort: ['-num'], limit: 1 });
    expect((await owner.tasks.get({ ...at, taskId: items[0]!.id })).links).to.have.length(60);
    expect((await team.world.operator.doctor.check()).findings).to.deep.equal([]);
  });
});
