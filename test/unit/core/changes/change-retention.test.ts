import { expect } from 'chai';
import { createEngine } from '../../../../core/engine.ts';
import { JobRunner } from '../../../../core/jobs/runner.ts';
import { setKeepChanges } from '../../../../core/service/keep-changes.ts';
import { newTeam, type Team } from '../../../fixtures/world/team.ts';
import { finishJobs } from '../../../fixtures/jobs.ts';
import { DAY, outcome, personOf } from '../../../fixtures/world/world.ts';

describe('the changes that are kept', () => {
  let team: Team;
  let taskId: string;
  const head = () => team.world.store.read((tx) => tx.changeLog.head(team.workspaceId));
  const write = async (times: number, count?: number) => {
    const engine = createEngine({ ...team.world.ports, keepChanges: count === undefined ? {} : { count } });
    const { owner, at } = team;
    const writer = personOf(engine, owner.userId, 'Owner');
    for (let n = 0; n < times; n += 1) await writer.tasks.update({ ...at, taskId, priority: n % 2 === 0 ? 100 : 200 });
  };
  const cursor = async () => {
    let now = '';
    await team.owner.workspaces.get(team.at, { onCursor: (seen) => void (now = seen) });
    return now;
  };

  beforeEach(async () => {
    team = await newTeam();
    const { id } = await team.board('Board');
    taskId = await team.task(id, 'Task');
  });

  it('are the last of so many; a cursor of before is expired', async () => {
    const first = await cursor();
    await write(30, 100);
    expect((await team.owner.changes.list({ ...team.at, since: first })).items).to.have.length(1);
    await write(300, 100);
    const { last, floor } = await head();
    expect(last - floor).to.be.within(100, 200);
    const stored = await team.world.store.read((tx) => tx.changeLog.list(team.workspaceId, 0, 1_000));
    expect(stored).to.have.length(last - floor);
    expect(await outcome(team.owner.changes.list({ ...team.at, since: first }))).to.equal('cursor-expired');
    const recent = await cursor();
    await write(10, 100);
    expect((await team.owner.changes.list({ ...team.at, since: recent })).items).to.have.length(1);
  });

  it('are those of thirty days', async () => {
    const first = await cursor();
    await write(100);
    team.world.pass(29 * DAY);
    await write(40);
    expect((await head()).floor).to.equal(0);
    team.world.pass(2 * DAY);
    await write(200);
    const { floor } = await head();
    const [oldest] = await team.world.store.read((tx) => tx.changeLog.list(team.workspaceId, 0, 1));
    expect(oldest!.seq).to.equal(floor + 1);
    expect(oldest!.at >= team.world.time(-30 * DAY)).to.equal(true);
    expect(await outcome(team.owner.changes.list({ ...team.at, since: first }))).to.equal('cursor-expired');
  });

  it('are as the settings of the store say, in every process on it', async () => {
    const { world } = team;
    await setKeepChanges(world.ports, { count: 10 });
    await write(300, 100);
    const { last, floor } = await head();
    expect(last - floor).to.be.within(10, 110);
    await setKeepChanges(world.ports, { milliseconds: null, count: null });
    world.pass(400 * DAY);
    await write(300, 100);
    expect((await head()).floor).to.equal(floor);
    expect(await outcome(setKeepChanges(world.ports, { count: 0 }))).to.equal('invalid-input');
    expect(await outcome(setKeepChanges(world.ports, { milliseconds: 999 }))).to.equal('invalid-input');
  });

  it('are trimmed where nothing is written any more, in steps, once they are too old', async () => {
    await write(3_500);
    const idle = await team.owner.workspaces.create({ name: 'Idle' });
    team.world.pass(29 * DAY);
    await write(10);
    expect(await finishJobs(team.world.ports)).to.equal(0);
    team.world.pass(DAY + 1);
    expect(await finishJobs(team.world.ports)).to.be.within(4, 10);
    const { last, floor } = await head();
    expect(last - floor).to.equal(10);
    const ofIdle = await team.world.store.read((tx) => tx.changeLog.head(idle.id));
    expect(ofIdle.floor).to.equal(ofIdle.last);
    team.world.pass(30 * DAY);
    await finishJobs(team.world.ports);
    expect(await team.world.store.read((tx) => tx.logAges.list('oldest', {}, { limit: 9 }))).to.deep.equal([]);
    await write(1);
    expect(await team.world.store.read((tx) => tx.logAges.list('oldest', {}, { limit: 9 }))).to.have.length(1);
  });

  it('are trimmed in turns with jobs that take long', async () => {
    await write(3_000);
    const { id: boardId } = await team.board('Large');
    const tasks = Array.from({ length: 2_000 }, (_, n) => ({ boardId, title: `t${n}` }));
    await team.owner.tasks.createMany({ ...team.at, tasks });
    await team.owner.boards.delete({ ...team.at, boardId });
    const runner = new JobRunner(team.world.ports);
    await runner.step();
    team.world.pass(30 * DAY + 1);
    // The next look is after at most 16 steps; from then on every other step trims.
    for (let steps = 0; steps < 16 + 2 * 6; steps += 1) await runner.step();
    const { last, floor } = await head();
    expect(floor).to.equal(last);
    const jobs = await team.world.store.read((tx) => tx.jobs.list('all', {}, { limit: 9 }));
    expect(jobs).not.to.deep.equal([]);
  });

  it('are trimmed everywhere, in steps, when the settings allow fewer', async () => {
    await write(1_200);
    const { id } = await team.owner.workspaces.create({ name: 'Other' });
    await setKeepChanges(team.world.ports, { count: 20 });
    expect(await finishJobs(team.world.ports)).to.be.within(2, 4);
    const { last, floor } = await head();
    expect(last - floor).to.equal(20);
    const other = await team.world.store.read((tx) => tx.changeLog.head(id));
    expect(other.floor).to.equal(0);
    await setKeepChanges(team.world.ports, { count: 20 });
    expect(await finishJobs(team.world.ports)).to.equal(0);
  });

  it('take no more work for a write than it has logged', async () => {
    await write(300, 1_000_000);
    const before = await head();
    await write(33, 10);
    const { floor } = await head();
    expect(floor - before.floor).to.be.within(1, 2 * 2 * 33);
  });
});
