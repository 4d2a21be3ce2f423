import { expect } from 'chai';
import { memoryStore } from '../../../../adapters/store-memory/index.ts';
import { newTeam, type Team } from '../../../fixtures/world/team.ts';
import { finishJobs } from '../../../fixtures/jobs.ts';
import { DAY, newWorld, outcome, type World } from '../../../fixtures/world/world.ts';
import { WatchedStore } from '../../../fixtures/store/watched-store.ts';

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
