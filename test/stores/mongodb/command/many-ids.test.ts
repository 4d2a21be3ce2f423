import { expect } from 'chai';
import { board, newId, status, task, user } from '../../../contract/records.ts';
import { rejects } from '../../../fixtures/errors.ts';
import { mongodbUrl } from '../../../fixtures/mongodb/mongodb.ts';
import { type Watched, watchedService } from './commands.ts';

const MANY = 2_500;
const MAX_IDS = 1_000;
const NONE: ReadonlySet<string> = new Set();
const UUID = /"[0-9a-f]{8}-[0-9a-f]{4}-7/g;

describe('records by very many ids, on MongoDB', function () {
  this.timeout(60_000);
  let service: Watched;

  before(async function () {
    await mongodbUrl(this);
    service = await watchedService('many-ids');
  });

  after(() => service?.store.close());

  it('are asked for by several commands, none of which is large', async () => {
    const known = Array.from({ length: 3 }, () => user());
    await service.store.write(async (tx) => {
      for (const one of known) await tx.users.insert(one);
      for (const { id } of known) await tx.activity.touch(id, '2026-01-01T00:00:00.000Z');
    });
    const ids = Array.from({ length: MANY }, (_, n) => known[n / MAX_IDS]?.id ?? newId());
    service.sent();
    await service.store.read(async (tx) => {
      expect(new Set((await tx.users.many(ids)).keys())).to.deep.equal(new Set(known.map(({ id }) => id)));
      expect((await tx.activity.of(ids)).size).to.equal(known.length);
    });
    const named = service.sent().map(({ command }) => JSON.stringify(command).match(UUID)?.length ?? 0);
    expect(named.length).to.be.at.least(2 * Math.ceil(MANY / MAX_IDS));
    expect(Math.max(...named)).to.be.within(MANY % MAX_IDS, MAX_IDS);
  });

  it('are counted by several commands, too', async () => {
    const home = board(newId());
    const [first, last] = [task(home, 1), task(home, 2)];
    await service.store.write(async (tx) => {
      for (const one of [first, last]) await tx.tasks.insert(one);
    });
    const ids = new Set([first.id, ...Array.from({ length: MANY }, newId), last.id]);
    service.sent();
    const counts = await service.store.read((tx) => tx.tasks.countAmong(home.workspaceId, home.id, ids));
    expect([...counts.values()].reduce((sum, count) => sum + count, 0)).to.equal(2);
    // Beside those of the workspace and the board.
    const named = service.sent().map(({ command }) => JSON.stringify(command).match(UUID)?.length ?? 0);
    expect(Math.max(...named)).to.be.within(MAX_IDS, MAX_IDS + 2);
  });

  it('are left out of a list by position, column after column and behind those that are read so', async () => {
    const home = board(newId(), { statuses: Array.from({ length: 12 }, (_, n) => status({ orderKey: n })) });
    const { workspaceId, statuses } = home;
    const tasks = Array.from({ length: 36 }, (_, i) => task(home, i + 1, { statusId: statuses[i % 12]!.id }));
    await service.store.write(async (tx) => {
      for (const one of tasks) await tx.tasks.insert(one);
    });
    const hidden = new Set([tasks[0]!.id, ...Array.from({ length: 10_000 }, newId), tasks[35]!.id]);
    const query = {
      workspaceId,
      scope: { boards: new Set([home.id]), hidden, withoutBoard: NONE },
      filters: [],
      sort: (['statusOrder', 'statusId', 'statusOrderKey', 'id'] as const).map((field) => ({
        field,
        descending: false,
      })),
      statusOrder: new Map(statuses.map(({ id, orderKey }) => [id, orderKey])),
    };
    service.sent();
    const found = await service.store.read((tx) => tx.tasks.find({ ...query, after: null, limit: 100 }));
    expect(found.map(({ num }) => num)).to.deep.equal(
      [...tasks.keys()].map((i) => 1 + (i % 3) * 12 + Math.floor(i / 3)).filter((num) => num !== 1 && num !== 36),
    );
    expect(service.sent().length).to.equal(8);
  });

  it('are refused where one command would be larger than the database takes', async () => {
    const boards = new Set(Array.from({ length: 450_000 }, newId));
    const query = { workspaceId: newId(), scope: { boards, hidden: NONE, withoutBoard: NONE }, filters: [] };
    const find = service.store.read((tx) =>
      tx.tasks.find({ ...query, sort: [{ field: 'num', descending: false }], after: null, limit: 1 }),
    );
    await rejects(find, { code: 'store-busy' });
  });
});
