import { expect } from 'chai';
import { createEngine } from '../../../core/engine.ts';
import { newTeam, type Team } from '../../fixtures/team.ts';
import { DAY, outcome, personOf } from '../../fixtures/world.ts';

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

  it('take no more work for a write than it has logged', async () => {
    await write(300, 1_000_000);
    const before = await head();
    await write(33, 10);
    const { floor } = await head();
    expect(floor - before.floor).to.be.within(1, 2 * 2 * 33);
  });
});
