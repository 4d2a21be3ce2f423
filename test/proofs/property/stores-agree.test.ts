import { join } from 'node:path';
import { embeddedStore } from '../../../adapters/store-embedded/index.ts';
import { memoryStore } from '../../../adapters/store-memory/index.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';
import { compareStores } from './sequence/sequences.ts';
import { firstSeed } from '../../contract/random.ts';

/** ESPALIER_STORE_SEQUENCES: how many random sequences, of ESPALIER_CALLS each; ESPALIER_SEED: the first of them. */
const SEQUENCES = Number(process.env['ESPALIER_STORE_SEQUENCES'] ?? 120);
const CALLS = Number(process.env['ESPALIER_CALLS'] ?? 50);
const SEED = firstSeed();

describe('the stores agree', function () {
  this.timeout(0);
  const folder = temporaryFolder();

  it('embedded and memory answer random sequences alike', async () => {
    let opened = 0;
    await compareStores({
      reference: async () => memoryStore(),
      candidate: async () => embeddedStore({ path: join(folder, `${(opened += 1)}.db`), durable: false }),
      sequences: SEQUENCES,
      length: CALLS,
      seed: SEED,
      perStore: 25,
    });
  });
});
