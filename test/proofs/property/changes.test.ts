import { join } from 'node:path';
import { embeddedStore } from '../../../adapters/store-embedded/index.ts';
import { memoryStore } from '../../../adapters/store-memory/index.ts';
import type { Store } from '../../../core/ports/store.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';
import { forSeeds } from '../../contract/random.ts';
import { followBoards } from './follow/follow-boards.ts';
import { followSequences } from './follow/follow-changes.ts';
import { anotherProcess, followLate } from './follow/follow-late.ts';

/** ESPALIER_SEQUENCES: how many random sequences; ESPALIER_SEED: the first of them. */
const SEQUENCES = Number(process.env['ESPALIER_SEQUENCES'] ?? 4);

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

  /** @param again opens the store as another process does */
  const late = (open: () => Promise<Store>, sequences: number, again?: (store: Store) => Promise<Store>) =>
    forSeeds(sequences, async (_, seed) => {
      const store = await open();
      const other = await again?.(store);
      await followLate(store, seed, other && anotherProcess(other));
      if (other !== store) await other?.close();
      await store.close();
    });

  it('where others write before an answer is applied, and while the records that it tells of are read', () =>
    late(async () => memoryStore(), SEQUENCES * 8));

  it('and where another process writes', () =>
    late(
      async () => memoryStore(),
      SEQUENCES * 8,
      async (store) => store,
    ));

  it('and through another handle of the embedded store', () => {
    let path = '';
    const opens = async () => embeddedStore({ path, durable: false });
    const open = async () => {
      path = join(folder, `${(opened += 1)}.db`);
      return opens();
    };
    return late(open, SEQUENCES / 4, opens);
  });

  it('on the embedded store', () => followSequences(embedded, SEQUENCES / 4));
});
