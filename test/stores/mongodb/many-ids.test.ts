import { expect } from 'chai';
import { newId, user } from '../../contract/records.ts';
import { mongodbUrl } from '../../fixtures/mongodb.ts';
import { type Watched, watchedService } from './commands.ts';

const MANY = 2_500;
const MOST_IDS = 1_000;

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
    const ids = Array.from({ length: MANY }, (_, n) => known[n / MOST_IDS]?.id ?? newId());
    service.sent();
    await service.store.read(async (tx) => {
      expect(new Set((await tx.users.many(ids)).keys())).to.deep.equal(new Set(known.map(({ id }) => id)));
      expect((await tx.activity.of(ids)).size).to.equal(known.length);
    });
    const named = service
      .sent()
      .map(({ command }) => JSON.stringify(command).match(/"[0-9a-f]{8}-[0-9a-f]{4}-7/g)?.length ?? 0);
    expect(named.length).to.be.at.least(2 * Math.ceil(MANY / MOST_IDS));
    expect(Math.max(...named)).to.be.within(MANY % MOST_IDS, MOST_IDS);
  });
});
