import type { ReadTransaction } from '../../../core/ports/store.ts';
import { WholeStructureNeeded } from './lazy-structure.ts';

type Read = (work: (tx: ReadTransaction) => Promise<unknown>) => Promise<unknown>;

/**
 * Runs work, and where it needs a structure as a whole that is not in memory, again once that is. The structure is
 * loaded in steps, in a read of its own: no write is under way meanwhile.
 *
 * @param run begins anew each time, on a snapshot of its own
 * @param read of the store, whose cache keeps what is loaded
 */
export async function runWithWholeStructures<T>(run: () => Promise<T>, read: Read): Promise<T> {
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof WholeStructureNeeded)) throw error;
      await read((tx) => tx.structures.get(error.workspaceId));
    }
  }
}
