import { expect } from 'chai';
import type { Store } from '../../core/ports/store.ts';
import type { TransferRecord } from '../../core/model/transfer-record.ts';
import { finishJobs } from './jobs.ts';
import { WatchedStore } from './watched-store.ts';
import { type Mate, newTeam, type Team } from './world-team.ts';
import { newWorld, outcome } from './world.ts';

const TASKS = 130;
/** A task and its change record each, and the job. */
const MOST_WRITTEN = 110;

interface Scene {
  readonly store: WatchedStore;
  readonly team: Team;
  readonly boardId: string;
  /** All assigned to `mate`, every tenth to the owner as well. */
  readonly tasks: readonly string[];
  readonly mate: Mate;
}

async function sceneOn(store: WatchedStore): Promise<Scene> {
  const team = await newTeam(newWorld(store));
  const { id: boardId } = await team.board('Board');
  const mate = await team.join('Mate', 20);
  return { store, team, boardId, mate, tasks: await assigned(team, boardId, mate, TASKS) };
}

async function assigned(team: Team, boardId: string, mate: Mate, count: number): Promise<string[]> {
  const tasks = Array.from({ length: count }, (_, n) => {
    return {
      boardId,
      title: `t${n}`,
      assignees: n % 10 === 0 ? [mate.memberId, team.owner.memberId] : [mate.memberId],
    };
  });
  return (await team.owner.tasks.createMany({ ...team.at, tasks })).map(({ id }) => id);
}

const remove = ({ team, mate }: Scene) => team.owner.members.remove({ ...team.at, memberId: mate.memberId });

async function rejoin({ team, mate }: Scene): Promise<void> {
  const { id } = await team.owner.invitations.create({ ...team.at, role: 20 });
  await mate.invitations.join({ invitationId: id });
}

/** How many tasks a filter finds: in the list, part by part, and in the count. */
async function found({ team }: Scene, filters: object, who = team.owner): Promise<number> {
  let count = 0;
  let cursor: string | undefined;
  for (;;) {
    const query = { ...team.at, ...filters, limit: 50, count: true, ...(cursor !== undefined && { cursor }) };
    const { items, next, total } = await who.tasks.list(query);
    count += items.length;
    if (next === null) {
      expect(total).to.equal(count);
      return count;
    }
    cursor = next;
  }
}

/** Who is assigned, as lists and single tasks tell it. */
async function assignees({ team, tasks }: Scene): Promise<ReadonlySet<string>> {
  const { items } = await team.owner.tasks.list({ ...team.at, limit: 500 });
  const told = new Set(items.flatMap((task) => task.assignees));
  const single = await team.owner.tasks.get({ ...team.at, taskId: tasks.at(-10)! });
  for (const id of single.assignees) told.add(id);
  return told;
}

async function isSound({ team }: Scene): Promise<void> {
  expect((await team.world.operator.doctor.check()).findings).to.deep.equal([]);
}

/** What is left of members who leave, on a store. Nothing of it is ever seen. */
export function membershipEnd(newStore: () => Promise<Store>): void {
  let scene: Scene;

  beforeEach(async () => {
    scene = await sceneOn(new WatchedStore(await newStore()));
    // Lists keep what they show of a task: it must not outlive the membership.
    await assignees(scene);
  });

  afterEach(() => scene.store.close());

  it('loses access with one small commit, and counts as assigned to nothing from then on', async () => {
    const { store, team, mate, tasks } = scene;
    store.written.length = 0;
    await remove(scene);
    expect(store.written).to.have.length(1);
    expect(store.written[0]).to.be.at.most(40);
    expect(await outcome(mate.workspaces.get(team.at))).to.equal('not-found');
    expect([...(await assignees(scene))]).to.deep.equal([team.owner.memberId]);
    const { memberId } = mate;
    expect(await found(scene, { assigneeId: [memberId] })).to.equal(0);
    expect(await found(scene, { assigneeId: [memberId, 'none'] })).to.equal(117);
    expect(await found(scene, { assigneeId: ['none'] })).to.equal(117);
    expect(await found(scene, { assigneeId: ['none'], excludeNum: [2] })).to.equal(116);
    expect(await found(scene, { assigneeId: ['none', 'me'] })).to.equal(TASKS);
    expect(await found(scene, { excludeAssigneeId: [memberId] })).to.equal(TASKS);
    expect(await found(scene, { excludeAssigneeId: ['none'] })).to.equal(13);
    const of = { ...team.at, taskId: tasks.at(-1)!, memberId };
    expect(await outcome(team.owner.tasks.unassign(of))).to.equal('not-found');
    expect(await outcome(team.owner.tasks.assign(of))).to.equal('unusable-reference');
    await isSound(scene);
    expect(await store.read((tx) => tx.jobs.list(null, 9))).to.have.length(1);
  });

  it('has the assignments taken off in small transactions, in the name of who removed them', async () => {
    const { store, team } = scene;
    store.written.length = 0;
    await remove(scene);
    await finishJobs({ ...team.world.ports, store });
    expect(Math.max(...store.written)).to.be.at.most(MOST_WRITTEN);
    expect(await store.read((tx) => tx.jobs.list(null, 9))).to.deep.equal([]);
    const { items } = await team.owner.tasks.list({ ...team.at, limit: 500 });
    expect(items.map(({ version }) => version)).to.deep.equal(scene.tasks.map(() => 2));
    const changes = await store.read((tx) => tx.changes.list(team.workspaceId, null, 10_000));
    const updates = changes.filter(({ kind, action }) => kind === 'task' && action === 'update');
    expect(updates).to.have.length(TASKS);
    expect(new Set(updates.map(({ userId }) => userId))).to.deep.equal(new Set([team.owner.userId]));
    expect(await found(scene, { assigneeId: ['none'] })).to.equal(117);
    await isSound(scene);
  });

  it('is taken up by another process after a crash', async () => {
    const { store, team } = scene;
    await remove(scene);
    store.reach = 1;
    const { ports } = team.world;
    await finishJobs({ ...ports, store });
    store.reach = Infinity;
    expect(await store.read((tx) => tx.jobs.list(null, 9))).to.have.length(1);
    await isSound(scene);
    expect(await found(scene, { assigneeId: ['none'] })).to.equal(117);
    team.world.pass(5_000);
    await finishJobs({ ...ports, store });
    expect(await store.read((tx) => tx.jobs.list(null, 9))).to.deep.equal([]);
    await isSound(scene);
  });

  it('who is back before that is assigned to what they are assigned to now', async () => {
    const { store, team, mate, tasks } = scene;
    const { memberId } = mate;
    await remove(scene);
    await rejoin(scene);
    expect([...(await assignees(scene))]).to.deep.equal([team.owner.memberId]);
    expect(await found(scene, { assigneeId: ['me'] }, mate)).to.equal(0);
    const taskId = tasks.at(-9)!;
    const before = await mate.tasks.get({ ...team.at, taskId });
    expect((await mate.tasks.update({ ...before, ...team.at, taskId })).version).to.equal(before.version);
    expect((await mate.tasks.assign({ ...team.at, taskId, memberId })).assignees).to.deep.equal([memberId]);
    expect((await mate.tasks.assign({ ...team.at, taskId, memberId })).version).to.equal(before.version + 1);
    await mate.tasks.update({ ...team.at, taskId: tasks.at(-8)!, assignees: [memberId, team.owner.memberId] });
    await mate.tasks.update({ ...team.at, taskId: tasks.at(-7)!, title: 'other' });
    await mate.tasks.assign({ ...team.at, taskId: tasks.at(-6)!, memberId });
    await mate.tasks.unassign({ ...team.at, taskId: tasks.at(-6)!, memberId });
    expect(
      (await mate.tasks.create({ ...team.at, boardId: scene.boardId, title: 'new', assignees: [memberId] })).assignees,
    ).to.deep.equal([memberId]);
    const figures = async () => [
      await found(scene, { assigneeId: [memberId] }),
      await found(scene, { assigneeId: ['me'] }, mate),
      await found(scene, { assigneeId: ['none'] }),
      await found(scene, { excludeAssigneeId: [memberId] }),
      await found(scene, { excludeAssigneeId: [memberId, 'none'] }),
    ];
    expect(await figures()).to.deep.equal([3, 3, 115, 128, 13]);
    await isSound(scene);
    await finishJobs({ ...team.world.ports, store });
    expect(await figures()).to.deep.equal([3, 3, 115, 128, 13]);
    await isSound(scene);
    await remove(scene);
    expect(await found(scene, { assigneeId: ['none'] })).to.equal(117);
    await isSound(scene);
  });

  it('is told apart by an export from what holds, and comes back from one as it was', async () => {
    const { store, team, mate, tasks } = scene;
    await remove(scene);
    await rejoin(scene);
    await mate.tasks.assign({ ...team.at, taskId: tasks.at(-1)!, memberId: mate.memberId });
    const records: TransferRecord[] = [];
    await team.world.operator.exports.workspace({ ...team.at, sink: (record) => void records.push(record) });
    const of = records.flatMap((each) => (each.kind === 'task' ? each.record.assignees : []));
    expect(of.filter((id) => id === mate.memberId)).to.have.length(1);
    expect(new Set(of)).to.deep.equal(new Set([mate.memberId, team.owner.memberId]));
    await team.owner.workspaces.delete(team.at);
    await finishJobs({ ...team.world.ports, store });
    const inOrder = (async function* () {
      yield* records;
    })();
    await team.world.operator.imports.workspace({ records: inOrder });
    expect(await found(scene, { assigneeId: [mate.memberId] })).to.equal(1);
    expect(await found(scene, { assigneeId: ['me'] }, mate)).to.equal(1);
    expect(await found(scene, { assigneeId: ['none'] })).to.equal(116);
    await isSound(scene);
  });

  it('bounds how often one may come and go before that', async () => {
    const { store, team, mate, boardId } = scene;
    for (let times = 1; times < 8; times += 1) {
      await remove(scene);
      await rejoin(scene);
      await assigned(team, boardId, mate, 20);
    }
    await remove(scene);
    expect(await outcome(rejoin(scene))).to.equal('being-removed');
    expect(await found(scene, { assigneeId: ['none'] })).to.equal(117 + 7 * 18);
    await isSound(scene);
    await finishJobs({ ...team.world.ports, store });
    await rejoin(scene);
    await isSound(scene);
  });

  it('goes with the workspace', async () => {
    const { store, team } = scene;
    await remove(scene);
    await team.owner.workspaces.delete(team.at);
    await finishJobs({ ...team.world.ports, store });
    expect(await store.read((tx) => tx.jobs.list(null, 9))).to.deep.equal([]);
  });
}
