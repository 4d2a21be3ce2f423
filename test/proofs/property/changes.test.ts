import { join } from 'node:path';
import { embeddedStore } from '../../../adapters/store-embedded/index.ts';
import { memoryStore } from '../../../adapters/store-memory/index.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';
import { forSeeds } from '../../contract/random.ts';
import { followBoards } from './follow-boards.ts';
import { followSequences } from './follow-changes.ts';

/** ESPALIER_SEQUENCES: how many random sequences; ESPALIER_SEED: the first of them. */
const SEQUENCES = Number(process.env['ESPALIER_SEQUENCES'] ?? 12);

describe('following changes leads everybody from what they saw to what they see, and names nothing else', function () {
  this.timeout(0);
  const folder = temporaryFolder();
  let opened = 0;
  const embedded = async () => embeddedStore({ path: join(folder, `${(opened += 1)}.db`), durable: false });

  it('on the memory store', () => followSequences(async () => memoryStore(), SEQUENCES));

  it('where the structure of the cursor is not known any more', () =>
    followSequences(async () => memoryStore(), SEQUENCES / 2, false));

  it('where boards go out of sight and come into sight while tasks move between them', () =>
    forSeeds(SEQUENCES * 4, async (_, seed) => {
      const store = memoryStore();
      await followBoards(store, seed);
      await store.close();
    }));

  it('on the embedded store', () => followSequences(embedded, SEQUENCES / 4));
});
