import { expect } from 'chai';
import type { Store } from '../../../../core/ports/store.ts';
import { emptyMongodbStore, mongodbUrl } from '../../../fixtures/mongodb/mongodb.ts';
import { newTeam, type Team } from '../../../fixtures/world/team.ts';
import { newWorld } from '../../../fixtures/world/world.ts';

describe('a reader whose own connection is lost', function () {
  this.timeout(60_000);
  let store: Store;
  let team: Team;

  before(async function () {
    await mongodbUrl(this);
    store = await emptyMongodbStore('reader-errors');
    team = await newTeam(newWorld(store));
  });

  after(() => store?.close());

  const lost = Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });

  for (const [name, read] of [
    ['an export', (sink: () => Promise<void>) => team.owner.exports.workspace({ ...team.at, sink })],
    [
      'an export by the operator',
      (sink: () => Promise<void>) => team.world.operator.exports.workspace({ ...team.at, sink }),
    ],
    [
      'a snapshot',
      (sink: () => Promise<void>) =>
        team.world.engine.changes.snapshot(
          { caller: { kind: 'user', userId: team.guest.userId } },
          { ...team.at, sink },
        ),
    ],
  ] as const) {
    it(`is told so by ${name}, and not that the database is out of reach`, async () => {
      let taken = 0;
      const sink = async () => {
        taken += 1;
        throw lost;
      };
      const error: unknown = await Promise.resolve(read(sink)).catch((thrown: unknown) => thrown);
      expect(error).to.equal(lost);
      expect(taken).to.equal(1);
    });
  }
});
