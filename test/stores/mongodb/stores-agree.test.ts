import { memoryStore } from '../../../adapters/store-memory/index.ts';
import { compareStores } from '../../proofs/property/sequence/sequences.ts';
import { emptyMongodbStore, mongodbUrl } from '../../fixtures/mongodb/mongodb.ts';
import { firstSeed } from '../../contract/random.ts';

/** ESPALIER_MONGODB_SEQUENCES: how many random sequences; ESPALIER_SEED: the first of them. */
const SEQUENCES = Number(process.env['ESPALIER_MONGODB_SEQUENCES'] ?? 10);
const SEED = firstSeed();

describe('the stores agree, MongoDB among them', function () {
  this.timeout(0);

  before(async function () {
    await mongodbUrl(this);
  });

  it('MongoDB and memory answer random sequences alike', () =>
    compareStores({
      reference: async () => memoryStore(),
      candidate: () => emptyMongodbStore('sequences'),
      sequences: SEQUENCES,
      length: 50,
      seed: SEED,
      perStore: 10,
    }));
});
