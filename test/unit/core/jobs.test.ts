import { expect } from 'chai';
import type { JobFailure } from '../../../core/jobs/failure.ts';
import { JobRunner } from '../../../core/jobs/runner.ts';
import { EspalierError } from '../../../core/kernel/errors.ts';
import { WatchedStore } from '../../fixtures/store/watched-store.ts';
import type { Job } from '../../../core/model/job.ts';
import type { Store } from '../../../core/ports/store.ts';
import { nextTurn } from '../../../adapters/event-loop/next-turn.ts';
import { memoryStore } from '../../../adapters/store-memory/index.ts';
import { newTeam, type Team } from '../../fixtures/world/team.ts';
import { HOUR, newWorld } from '../../fixtures/world/world.ts';

/** The workspaces of the jobs that each step works on, as the boards that they purge get fewer. */
async function order(store: Store, runner: JobRunner, steps: number): Promise<string> {
  let turns = '';
  let before = await boardsLeft(store);
  for (let step = 0; step < steps; step += 1) {
    await runner.step();
    const after = await boardsLeft(store);
    for (const [name, left] of before) if ((after.get(name) ?? 0) < left) turns += name;
    before = after;
  }
  return turns;
}

/** How many tasks the jobs of each workspace still have to remove. */
function boardsLeft(store: Store): Promise<ReadonlyMap<string, number>> {
  return store.read(async (tx) => {
    const left = new Map<string, number>();
    for (const { workspaceId } of await tx.jobs.list('all', {}, { limit: 100 })) {
      const name = (await tx.structures.get(workspaceId))?.workspace.name ?? '';
      left.set(name, await tx.tasks.count({ workspaceId, scope: null, filters: [] }));
    }
    return left;
  });
}

async function withDeletedBoards(store: Store, name: string, boards: number, tasks: number): Promise<void> {
  const owner = await newWorld(store, name.codePointAt(0)! * 100_000).user(name);
  const { id: workspaceId } = await owner.workspaces.create({ name });
  for (let i = 0; i < boards; i += 1) {
    const { id: boardId } = await owner.boards.create({ workspaceId, name: 'Board' });
    await owner.statuses.create({ workspaceId, boardId, name: 'Todo' });
    const all = Array.from({ length: tasks }, (_, n) => ({ boardId, title: `t${n}` }));
    await owner.tasks.createMany({ workspaceId, tasks: all });
    await owner.boards.delete({ workspaceId, boardId });
  }
}

async function leave(team: Team, job: { readonly kind: string; readonly notBefore?: string }): Promise<Job> {
  const { ports } = team.world;
  const stored = {
    id: ports.ids.next(),
    workspaceId: team.workspaceId,
    boards: [],
    notBefore: null,
    ...job,
  } as unknown as Job;
  await ports.store.write((tx) => tx.jobs.insert(stored));
  return stored;
}

const jobsOf = (team: Team) => team.world.store.read((tx) => tx.jobs.list('all', {}, { limit: 100 }));

describe('stored jobs', () => {
  it('take turns by workspace, so that a large one holds up no other', async () => {
    const store = memoryStore();
    await withDeletedBoards(store, 'A', 1, 400);
    await withDeletedBoards(store, 'B', 4, 10);
    await withDeletedBoards(store, 'C', 1, 10);
    const ports = newWorld(store, 9_000_000).ports;
    expect(await order(store, new JobRunner(ports), 7)).to.equal('ABCABAB');
  });

  it('take turns within a workspace too', async () => {
    const team = await newTeam();
    const large = await team.board('Large');
    const tasks = Array.from({ length: 400 }, (_, n) => ({ boardId: large.id, title: `t${n}` }));
    await team.owner.tasks.createMany({ ...team.at, tasks });
    await team.owner.boards.delete({ ...team.at, boardId: large.id });
    const small = await team.board('Small');
    await team.owner.boards.delete({ ...team.at, boardId: small.id });
    const runner = new JobRunner(team.world.ports);
    await runner.step();
    await runner.step();
    const left = await jobsOf(team);
    expect(left.map((job) => job.kind === 'purge' && job.boards)).to.deep.equal([[large.id]]);
  });

  it('that fail are tried again later and later, and hold up no other', async () => {
    const team = await newTeam();
    await leave(team, { kind: 'of a newer release' });
    const other = await leave(team, { kind: 'purge' });
    const runner = new JobRunner(team.world.ports);
    expect(await runner.step()).to.equal(0);
    expect(await runner.step()).to.equal(0);
    expect((await jobsOf(team)).map(({ id }) => id)).not.to.include(other.id);
    expect(await runner.step()).to.equal(1_000);
    team.world.pass(1_000);
    expect(await runner.step()).to.equal(0);
    expect(await runner.step()).to.equal(2_000);
    for (let i = 0; i < 10; i += 1) {
      team.world.pass(60_000);
      await runner.step();
    }
    expect(await runner.step()).to.equal(60_000);
    expect(await jobsOf(team)).to.have.length(1);
  });

  it('that fail are reported once for each job and cause', async () => {
    const store = new WatchedStore(memoryStore());
    const team = await newTeam(newWorld(store));
    const odd = await leave(team, { kind: 'of a newer release' });
    const reported: string[] = [];
    const onJobFailure = ({ job, error }: JobFailure) =>
      reported.push(`${job?.kind} ${job?.id === odd.id} ${error instanceof EspalierError ? error.code : 'unexpected'}`);
    const runner = new JobRunner({ ...team.world.ports, store, onJobFailure });
    for (let i = 0; i < 3; i += 1) {
      await runner.step();
      team.world.pass(60_000);
    }
    const first = 'of a newer release true unexpected';
    expect(reported).to.deep.equal([first]);
    store.reach = 0;
    for (let i = 0; i < 3; i += 1) {
      await runner.step();
      team.world.pass(60_000);
    }
    expect(reported).to.deep.equal([first, 'of a newer release true store-unavailable']);
  });

  it('that fail are retried, and others done, whatever the report to the host throws or rejects with', async () => {
    const broken = new Error('The log is full.');
    const unhandled: unknown[] = [];
    const notice = (reason: unknown) => void unhandled.push(reason);
    process.on('unhandledRejection', notice);
    for (const onJobFailure of [
      () => {
        throw broken;
      },
      () => Promise.reject(broken),
    ]) {
      const team = await newTeam();
      const odd = await leave(team, { kind: 'of a newer release' });
      await leave(team, { kind: 'purge' });
      const runner = new JobRunner({ ...team.world.ports, onJobFailure });
      for (let i = 0; i < 3; i += 1) await runner.step();
      expect((await jobsOf(team)).map(({ id }) => id)).to.deep.equal([odd.id]);
      expect(await runner.step()).to.equal(1_000);
    }
    await nextTurn();
    process.off('unhandledRejection', notice);
    expect(unhandled).to.deep.equal([]);
  });

  it('that cannot be asked for are reported once, until they can', async () => {
    const store = memoryStore();
    let reach = true;
    const failing: Store = {
      ...store,
      read: (work) => (reach ? store.read(work) : Promise.reject(new EspalierError('store-unavailable', 'Gone.'))),
      write: (work) => store.write(work),
    };
    const reported: JobFailure[] = [];
    const runner = new JobRunner({
      ...newWorld(store).ports,
      store: failing,
      onJobFailure: (one) => reported.push(one),
    });
    const steps = async (count: number) => {
      for (let i = 0; i < count; i += 1) await runner.step().catch(() => undefined);
    };
    reach = false;
    await steps(3);
    expect(reported.map(({ job }) => job)).to.deep.equal([null]);
    reach = true;
    await steps(1);
    reach = false;
    await steps(2);
    expect(reported.length).to.equal(2);
  });

  it('wait for their time', async () => {
    const team = await newTeam();
    const job = await leave(team, { kind: 'purge', notBefore: team.world.time(5_000) });
    const runner = new JobRunner(team.world.ports);
    expect(await runner.step()).to.equal(5_000);
    expect(await runner.finish(job)).to.equal(false);
    expect(await jobsOf(team)).to.deep.equal([job]);
    team.world.pass(5_000);
    expect(await runner.step()).to.equal(0);
    expect(await runner.step()).to.equal(null);
  });

  it('are left to the runner that works on them, until it is silent for a while', async () => {
    const team = await newTeam();
    const board = await team.board('Board');
    const tasks = Array.from({ length: 120 }, (_, n) => ({ boardId: board.id, title: `t${n}` }));
    await team.owner.tasks.createMany({ ...team.at, tasks });
    await team.owner.boards.delete({ ...team.at, boardId: board.id });
    const [one, two] = [new JobRunner(team.world.ports), new JobRunner(team.world.ports)];
    await one.step();
    expect(await two.step()).to.equal(5_000);
    team.world.pass(3_000);
    await one.step();
    expect(await two.step()).to.equal(5_000);
    team.world.pass(5_000);
    expect(await two.step()).to.equal(0);
    expect(await two.step()).to.equal(null);
  });

  it('are not left to a runner whose clock is ahead', async () => {
    const team = await newTeam();
    const board = await team.board('Board');
    const tasks = Array.from({ length: 120 }, (_, n) => ({ boardId: board.id, title: `t${n}` }));
    await team.owner.tasks.createMany({ ...team.at, tasks });
    await team.owner.boards.delete({ ...team.at, boardId: board.id });
    const { ports } = team.world;
    const ahead = { now: () => ports.clock.now() + HOUR };
    await new JobRunner({ ...ports, clock: ahead }).step();
    const runner = new JobRunner(ports);
    while ((await runner.step()) === 0);
    expect(await jobsOf(team)).to.deep.equal([]);
  });

  it('are finished on request, once for all who ask', async () => {
    const team = await newTeam();
    const board = await team.board('Board');
    const tasks = Array.from({ length: 120 }, (_, n) => ({ boardId: board.id, title: `t${n}` }));
    await team.owner.tasks.createMany({ ...team.at, tasks });
    await team.owner.boards.delete({ ...team.at, boardId: board.id });
    const [job] = await jobsOf(team);
    const [one, two] = [new JobRunner(team.world.ports), new JobRunner(team.world.ports)];
    await one.step();
    // Another process, which does not wait for the lease of the first.
    await Promise.all([two.finish(job!), two.finish(job!), one.finish(job!)]);
    expect(await jobsOf(team)).to.deep.equal([]);
    await two.finish(job!);
  });
});
