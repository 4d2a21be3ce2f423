import { assert, expect } from 'chai';
import { throws } from '../../../fixtures/errors.ts';
import { join } from 'node:path';
import { embeddedStore } from '../../../../adapters/store-embedded/index.ts';
import { memoryStore } from '../../../../adapters/store-memory/index.ts';
import { createEngine } from '../../../../core/engine.ts';
import { EspalierError } from '../../../../core/kernel/errors.ts';
import { QUOTA_NAMES, type Quotas } from '../../../../core/model/service/quotas.ts';
import { realPorts } from '../../../stores/mongodb/service.ts';
import { raceForPlaces } from '../../../fixtures/suite/quota-race.ts';
import { temporaryFolder } from '../../../fixtures/temporary-folder.ts';
import { newTeam } from '../../../fixtures/world/team.ts';
import { newWorld, outcome, personOf, type Person } from '../../../fixtures/world/world.ts';
import { FULL, under, withBoard } from '../../../fixtures/world/quotas.ts';

describe('quotas', () => {
  const folder = temporaryFolder();

  it('are off unless set, and nonsense is refused', () => {
    const { ports } = newWorld();
    createEngine(ports);
    createEngine({ ...ports, quotas: {} });
    for (const name of QUOTA_NAMES) {
      createEngine({ ...ports, quotas: { [name]: 1 } });
      for (const most of [0, -1, 1.5, NaN, Infinity, '7', null]) {
        const create = () => createEngine({ ...ports, quotas: { [name]: most as never } });
        throws(create, (error: unknown) => error instanceof EspalierError && error.code === 'invalid-input');
      }
    }
    throws(() => createEngine({ ...ports, quotas: { tsaks: 1 } as never }), EspalierError);
  });

  it('say the limit, and not how much there is', async () => {
    const { team, at, id } = await withBoard();
    for (const title of ['a', 'b', 'c']) await team.task(id, title);
    const owner = under({ tasks: 2 }, team).as(team.owner);
    const error = await owner.tasks.create({ ...at, boardId: id, title: 'd' }).catch((caught: unknown) => caught);
    assert(error instanceof EspalierError);
    expect(error.detail).to.match(/\b2 tasks\b/);
    expect(error.detail).to.not.match(/3/);
  });

  describe('kept in the store', () => {
    it('bind every engine on it; the smaller of both holds', async () => {
      const { team, at, id } = await withBoard();
      const { world } = team;
      const create = (quotas?: Quotas) =>
        outcome(
          under(quotas ?? {}, team)
            .as(team.owner)
            .tasks.create({ ...at, boardId: id, title: 't' }),
        );
      await world.operator.quotas.update({ tasks: 2 });
      expect([await create({ tasks: 1 }), await create({ tasks: 1 })]).to.deep.equal(['ok', FULL]);
      expect([await create({ tasks: 9 }), await create({ tasks: 9 })]).to.deep.equal(['ok', FULL]);
      expect(await create()).to.equal(FULL);
      await world.operator.quotas.update({ tasks: null });
      expect(await create()).to.equal('ok');
    });

    it('nest pages 100 deep unless they say otherwise', async () => {
      const team = await newTeam();
      const { world } = team;
      expect((await world.operator.quotas.get()).depth).to.equal(100);
      let deepest: string | null = null;
      for (let i = 0; i < 100; i += 1) deepest = await team.page(`p${i}`, deepest);
      const deeper = () => outcome(team.page('deeper', deepest));
      expect(await deeper()).to.equal(FULL);
      await world.operator.quotas.update({ depth: null });
      expect(await deeper()).to.equal('ok');
    });

    it('limit what one page, board and task hold, unless they say otherwise', async () => {
      const { operator } = newWorld();
      const { pageEntries, statuses, tags, comments, assignees, taskTags, tasks, pages } = await operator.quotas.get();
      expect({ pageEntries, statuses, tags, comments, assignees, taskTags, tasks, pages }).to.deep.equal({
        pageEntries: 2_000,
        statuses: 500,
        tags: 2_000,
        comments: 2_000,
        assignees: 1_000,
        taskTags: 1_000,
        tasks: null,
        pages: null,
      });
    });

    it('are set by the operator and service administrators alone, and audited', async () => {
      const team = await newTeam();
      const { world } = team;
      expect(await outcome(team.owner.quotas.update({ tasks: 1 }))).to.equal('forbidden');
      expect(await outcome(team.owner.quotas.get())).to.equal('forbidden');
      await world.operator.users.update({ userId: team.admin.userId, administrator: true });
      const before = await team.admin.quotas.get();
      const set = await team.admin.quotas.update({ tasks: 1, tags: null });
      expect(before.tags).to.equal(2_000);
      expect({ ...set, tasks: null }).to.deep.equal({
        ...before,
        tags: null,
        updatedAt: world.time(),
        version: before.version + 1,
      });
      const [latest] = (await world.operator.audit.service({})).items;
      expect([latest?.action, latest?.userId, latest?.before, latest?.after]).to.deep.equal([
        'quotas.update',
        team.admin.userId,
        { tasks: null },
        { tasks: 1 },
      ]);
      for (const limit of [0, 1.5, -1, 'x'] as never[]) {
        expect(await outcome(world.operator.quotas.update({ tasks: limit }))).to.equal('invalid-input');
      }
      expect(await outcome(world.operator.quotas.update({ tokens: 10_001 }))).to.equal('invalid-input');
    });
  });

  it('are not exceeded by many at once, in memory and in a file', async () => {
    const stores = [memoryStore(), embeddedStore({ path: join(folder, 'race.db') })];
    for (const store of stores) {
      const engines = (quotas: Quotas) => [1, 2].map(() => createEngine({ ...realPorts(store), quotas }));
      await raceForPlaces(async (quotas) => engines(quotas));
      await store.close();
    }
  });

  it('are checked behind who may, and do not stand in the way of an answer given before', async () => {
    const { team, at, id } = await withBoard();
    const engine = createEngine({ ...team.world.ports, quotas: { tasks: 1 } });
    const create = (person: Person) =>
      personOf(engine, person.userId, '').tasks.create({ ...at, boardId: id, title: 't' });
    const caller = { kind: 'user', userId: team.owner.userId } as const;
    const idempotencyKey = { key: 'k', digest: 'd' };
    const first = await engine.tasks.create({ caller, idempotencyKey }, { ...at, boardId: id, title: 't' });
    expect(await outcome(create(team.owner))).to.equal(FULL);
    expect(await outcome(create(team.outsider))).to.equal('not-found');
    const again = await engine.tasks.create({ caller, idempotencyKey }, { ...at, boardId: id, title: 't' });
    expect(again.id).to.equal(first.id);
  });
});
