import { join } from 'node:path';
import { embeddedStore } from '../../../adapters/store-embedded/index.ts';
import { memoryStore } from '../../../adapters/store-memory/index.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';
import { compareCounts } from './board-counts.ts';
import { firstSeed } from '../../contract/random.ts';

/** ESPALIER_SEQUENCES: how many random sequences; ESPALIER_SEED: the first of them. */
const SEQUENCES = Number(process.env['ESPALIER_SEQUENCES'] ?? 15);
const SEED = firstSeed();

describe('the counts that a reader is told are the tasks that they are shown', function () {
  this.timeout(0);
  const folder = temporaryFolder();
  let opened = 0;

  it('on the memory store', () =>
    compareCounts({ open: async () => memoryStore(), sequences: SEQUENCES, length: 150, seed: SEED }));

  it('on the embedded store', () =>
    compareCounts({
      open: async () => embeddedStore({ path: join(folder, `${(opened += 1)}.db`), durable: false }),
      sequences: Math.ceil(SEQUENCES / 4),
      length: 100,
      seed: SEED,
    }));
});
