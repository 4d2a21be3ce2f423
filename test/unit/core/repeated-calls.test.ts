import { expect } from 'chai';
import { createEngine } from '../../../core/engine.ts';
import type { Call } from '../../../core/ports/context.ts';
import { withParts } from '../../../core/ports/lazy-transaction.ts';
import type { Transaction } from '../../../core/ports/store.ts';
import { watchedCalls, wrappedStore } from '../../fixtures/store/wrapped-store.ts';
import { newTeam, type Team } from '../../fixtures/world/team.ts';
import { DAY, newWorld, outcome, type Person } from '../../fixtures/world/world.ts';

/** A call of a person with an idempotency key. */
function keyedCall({ userId }: Person, key = 'k'): Call {
  return { caller: { kind: 'user', userId }, idempotencyKey: { key, digest: 'd' } };
}

async function withBoards() {
  const team = await newTeam();
  const [open, hidden] = [await team.board('Open'), await team.board('Hidden')];
  await team.grant(hidden.id, team.member, 0);
  return { team, at: team.at, member: team.member, open, hidden };
}

const hide = (team: Team, pageId: string) => team.grant(pageId, team.member, 0);

describe('a call that is repeated with its key', () => {
  it('is not answered again once the record is out of sight, where the call itself is still allowed', async () => {
    const { team, at, member, open, hidden } = await withBoards();
    const { tasks, comments } = team.world.engine;
    const create = () => tasks.create(keyedCall(member), { ...at, boardId: open.id, title: 't' });
    const { id: taskId } = await create();
    expect((await create()).id).to.equal(taskId);
    const comment = () => comments.create(keyedCall(member, 'c'), { ...at, taskId, content: 'c' });
    await comment();
    const { statuses } = await team.owner.boards.get({ ...at, boardId: hidden.id });
    await team.owner.tasks.update({ ...at, taskId, boardId: hidden.id, statusId: statuses[0]!.id });
    expect(await outcome(create())).to.equal('replay-hidden');
    expect(await outcome(comment())).to.equal('not-found');
    await team.owner.tasks.update({ ...at, taskId, boardId: open.id });
    expect((await create()).id).to.equal(taskId);
  });

  it('is answered with the cursor of its first answer, from which nothing written since is missed', async () => {
    const { team, at, member, open } = await withBoards();
    const { tasks, boards, changes } = team.world.engine;
    const told = async (make: (call: Call) => Promise<unknown>, isFollowed = true) => {
      let cursor = '';
      const onCursor = (seen: string) => void (cursor = seen);
      await make({ ...keyedCall(member), ...(isFollowed && { onCursor }) });
      return cursor;
    };
    const since = async (cursor: string) => {
      const { items } = await changes.list({ caller: keyedCall(member).caller }, { ...at, since: cursor });
      return items.map(({ type }) => type);
    };
    const makers = [
      (call: Call) => tasks.create(call, { ...at, boardId: open.id, title: 't' }),
      (call: Call) => boards.create({ ...call, idempotencyKey: { key: 'b', digest: 'd' } }, { ...at, name: 'B' }),
    ];
    for (const make of makers) {
      const first = await told(make);
      const { id } = await team.owner.tasks.create({ ...at, boardId: open.id, title: 'between' });
      const again = await told(make);
      expect(again).to.equal(first);
      await team.owner.tasks.delete({ ...at, taskId: id });
      await team.owner.tasks.create({ ...at, boardId: open.id, title: 'after' });
      expect(await since(again)).to.include('task.create');
    }
    const make = (call: Call) =>
      tasks.create({ ...call, idempotencyKey: { key: 'c', digest: 'd' } }, { ...at, boardId: open.id, title: 't' });
    await told(make, false);
    const later = await told(make);
    await team.owner.tasks.create({ ...at, boardId: open.id, title: 'after' });
    expect(await since(later), 'no cursor was asked for at first').to.deep.equal(['task.create']);
  });

  it('looks the same whether the record is hidden or deleted', async () => {
    const { team, at, member, open } = await withBoards();
    const { tasks } = team.world.engine;
    const create = (key: string) => tasks.create(keyedCall(member, key), { ...at, boardId: open.id, title: 't' });
    const { id: taskId } = await create('deleted');
    await team.owner.tasks.delete({ ...at, taskId });
    expect(await outcome(create('deleted'))).to.equal('replay-hidden');
  });

  it('needs every task of a batch in sight', async () => {
    const { team, at, member, open, hidden } = await withBoards();
    const draft = { boardId: open.id, title: 't' };
    const create = () => team.world.engine.tasks.createMany(keyedCall(member), { ...at, tasks: [draft, draft, draft] });
    const [, , last] = await create();
    expect(await outcome(create())).to.equal('ok');
    const { statuses } = await team.owner.boards.get({ ...at, boardId: hidden.id });
    await team.owner.tasks.update({ ...at, taskId: last!.id, boardId: hidden.id, statusId: statuses[0]!.id });
    expect(await outcome(create())).to.equal('replay-hidden');
  });

  it('looks in steps for all tasks that its answer names', async () => {
    const { world, at, board, member } = await newTeam();
    const { id: boardId } = await board('Board');
    let [gets, most] = [0, 0];
    const counted = (tasks: Transaction['tasks']) =>
      watchedCalls(tasks, (method) => {
        if (method === 'get') most = Math.max(most, (gets += 1));
      });
    const store = wrappedStore(world.store, { write: (tx) => withParts(tx, { tasks: () => counted(tx.tasks) }) });
    const step = (): null => {
      gets = 0;
      return null;
    };
    const { tasks } = createEngine({ ...world.ports, store, yielder: () => ({ step }) });
    const drafts = Array.from({ length: 100 }, () => ({ boardId, title: 't' }));
    const create = () => tasks.createMany(keyedCall(member), { ...at, tasks: drafts });
    const made = await create();
    expect(await create()).to.deep.equal(made);
    expect(most).to.be.within(1, 4);
  });

  it('needs the page, and the parent that the answer names, in sight', async () => {
    const team = await newTeam();
    const { at, member } = team;
    const { pages, boards } = team.world.engine;
    const top = () => pages.create(keyedCall(member, 'top'), { ...at, name: 'p', type: 'folder' });
    const board = () => boards.create(keyedCall(member, 'board'), { ...at, name: 'b' });
    const [page, made] = [await top(), await board()];
    const nested = () =>
      pages.create(keyedCall(member, 'nested'), { ...at, name: 'n', type: 'folder', parentId: page.id });
    const { id: nestedId } = await nested();
    expect([await outcome(top()), await outcome(board()), await outcome(nested())]).to.deep.equal(['ok', 'ok', 'ok']);
    await hide(team, made.id);
    await hide(team, nestedId);
    expect([await outcome(board()), await outcome(nested())]).to.deep.equal(['replay-hidden', 'replay-hidden']);
    await team.grant(nestedId, member, 300);
    await hide(team, page.id);
    expect([await outcome(top()), await outcome(nested())]).to.deep.equal(['replay-hidden', 'unusable-reference']);
  });

  it('needs the membership that the answer tells of', async () => {
    const team = await newTeam();
    const { outsider } = team;
    const { workspaces, invitations } = team.world.engine;
    const create = () => workspaces.create(keyedCall(outsider, 'own'), { name: 'Own' });
    const own = await create();
    const { id: invitationId } = await team.owner.invitations.create({ ...team.at });
    const join = () => invitations.join(keyedCall(outsider, 'join'), { invitationId });
    const { id: memberId } = await join();
    expect([await outcome(create()), await outcome(join())]).to.deep.equal(['ok', 'ok']);
    await team.owner.members.remove({ ...team.at, memberId });
    await outsider.workspaces.delete({ workspaceId: own.id });
    expect([await outcome(create()), await outcome(join())]).to.deep.equal(['replay-hidden', 'replay-hidden']);
  });

  it('is answered again where the page that it made for a task took access away', async () => {
    const { team, at, member, open } = await withBoards();
    const parentId = await team.page('Folder');
    await team.grant(open.id, member, 400);
    const taskId = await team.task(open.id, 'Task');
    const create = (call: Call) =>
      team.world.engine.pages.create(call, { ...at, name: 'Task', type: 'task', taskId, parentId });
    const first = await create(keyedCall(member));
    expect(await create(keyedCall(member))).to.deep.equal(first);
    expect(await outcome(create(keyedCall(member, 'other')))).to.equal('task-has-page');
    await team.grant(parentId, member, 100);
    expect(await outcome(create(keyedCall(member)))).to.equal('forbidden');
  });

  it('of a copy is answered with the copy as it is then, while its caller sees it', async () => {
    const { team, at, member, open } = await withBoards();
    let replays = 0;
    const { caller, idempotencyKey } = keyedCall(member);
    const call: Call = { caller, idempotencyKey: { ...idempotencyKey!, onReplay: () => void (replays += 1) } };
    const copy = () => team.world.engine.boards.copy(call, { ...at, boardId: open.id, name: 'Copy' });
    const { id } = await copy();
    await team.owner.boards.update({ ...at, boardId: id, name: 'Renamed' });
    const { board } = await copy();
    expect([board!.id, board!.name, replays]).to.deep.equal([id, 'Renamed', 1]);
    await hide(team, id);
    expect([await outcome(copy()), replays]).to.deep.equal(['replay-hidden', 1]);
    await team.owner.boards.delete({ ...at, boardId: id });
    expect(await outcome(copy())).to.equal('replay-hidden');
    expect((await team.owner.boards.list(at)).map(({ name }) => name)).to.have.members(['Open', 'Hidden']);
  });

  it('of a copy that was given up begins another', async () => {
    const { team, at, member, open } = await withBoards();
    const copy = () =>
      team.world.engine.boards.copy(keyedCall(member), { ...at, boardId: open.id, name: 'Copy', tasks: true });
    await team.task(open.id, 'Task');
    await team.world.operator.quotas.update({ tasks: 1 });
    expect([await outcome(copy()), await outcome(copy())]).to.deep.equal(['copy-failed', 'copy-failed']);
    await team.world.operator.quotas.update({ tasks: null });
    // Another process repeats it, whose clock is behind.
    team.world.pass(-60_000);
    const { id } = await copy();
    expect((await copy()).id).to.equal(id);
    expect((await team.owner.boards.list(at)).filter(({ name }) => name === 'Copy')).to.have.length(1);
  });

  it('with very long comments in its answer keeps no copy of them, and is answered with the task as it is then', async () => {
    const { team, at, member, open } = await withBoards();
    const { tasks } = team.world.engine;
    const taskId = await team.task(open.id, 'Task');
    const long = 'x'.repeat(20_000);
    for (let n = 0; n < 53; n += 1) await team.owner.comments.create({ ...at, taskId, content: long });
    let replays = 0;
    const { caller, idempotencyKey } = keyedCall(member);
    const call: Call = { caller, idempotencyKey: { ...idempotencyKey!, onReplay: () => void (replays += 1) } };
    const assign = () => tasks.assign(call, { ...at, taskId, memberId: member.memberId });
    const first = await assign();
    expect(first.comments).to.have.length(53);
    const kept = await team.world.store.read((tx) => tx.idempotency.get(`${member.userId} k`));
    expect(JSON.stringify(kept).length).to.be.below(1_000);
    expect([await assign(), replays]).to.deep.equal([first, 1]);
    await team.owner.tasks.unassign({ ...at, taskId, memberId: member.memberId });
    const { version } = await team.owner.tasks.get({ ...at, taskId });
    await assign();
    expect((await team.owner.tasks.get({ ...at, taskId })).version).to.equal(version);
    await hide(team, open.id);
    expect(await outcome(assign())).to.equal('not-found');
  });

  it('of a restoration is answered while its caller may edit what came back', async () => {
    const { world, at, owner, member, task, board, grant } = await newTeam(newWorld(undefined, 0, undefined, DAY));
    const { id: boardId } = await board('Board');
    const trashId = await task(boardId, 'Task');
    await owner.tasks.delete({ ...at, taskId: trashId });
    const restore = () => outcome(world.engine.trash.restore(keyedCall(member), { ...at, trashId }));
    expect([await restore(), await restore()]).to.deep.equal(['ok', 'ok']);
    await grant(boardId, member, 100);
    expect(await restore()).to.equal('forbidden');
  });

  it('is checked as a new one once its answer is no longer kept', async () => {
    const { world, outsider } = await newTeam();
    const { userId } = outsider;
    const call: Call = { caller: { kind: 'operator' }, idempotencyKey: { key: 'k', digest: 'd' } };
    const disable = () => outcome(world.engine.users.update(call, { userId, disabled: true }));
    const isDisabled = async () => (await world.operator.users.get({ userId })).disabled;
    expect(await disable()).to.equal('ok');
    await world.operator.users.update({ userId, disabled: false });
    await outsider.workspaces.create({ name: 'Own' });
    expect([await disable(), await isDisabled()]).to.deep.equal(['ok', false]);
    world.pass(24 * 3_600_000);
    expect([await disable(), await isDisabled()]).to.deep.equal(['last-owner', false]);
  });

  it('leaves no answer behind that is not kept any more, once another is stored', async () => {
    const { world, at, member } = await newTeam();
    const create = (key: string) =>
      world.engine.pages.create(keyedCall(member, key), { ...at, name: 'Page', type: 'folder' });
    const isStored = (key: string) =>
      world.store.read(async (tx) => (await tx.idempotency.get(`${member.userId} ${key}`)) !== null);
    await create('first');
    world.pass(25 * 3_600_000);
    expect(await isStored('first')).to.equal(true);
    await create('second');
    expect([await isStored('first'), await isStored('second')]).to.deep.equal([false, true]);
  });

  it('never tells the id of an invitation a second time', async () => {
    const team = await newTeam();
    const invite = (role: 10 | 40 = 10) =>
      team.world.engine.invitations.create(keyedCall(team.admin), { ...team.at, role });
    await invite();
    expect(await outcome(invite())).to.equal('secret-not-kept');
    const kept = await team.world.store.read((tx) => tx.idempotency.get(`${team.admin.userId} k`));
    expect(kept?.output).to.equal(null);
  });
});
