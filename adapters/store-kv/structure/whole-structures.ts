import type { ReadTransaction } from '../../../core/ports/store.ts';
import { WholeStructureNeeded } from './lazy-structure.ts';

type Read = (work: (tx: ReadTransaction) => Promise<unknown>) => Promise<unknown>;

/** So often a write is given up for a structure to be loaded. Then it loads what others have changed meanwhile itself. */
const TRIES = 3;

/**
 * Runs work, and where it needs a structure as a whole that is not in memory, again once that is. The structure is
 * loaded in steps, in a read of its own: no write is under way meanwhile.
 *
 * @param run begins anew each time, on a snapshot of its own; told whether it may load a structure itself
 * @param read of the store, whose cache keeps what is loaded
 */
export async function runWithWholeStructures<T>(run: (mayLoad: boolean) => Promise<T>, read: Read): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await run(tries > TRIES);
    } catch (error) {
      if (!(error instanceof WholeStructureNeeded)) throw error;
      await read((tx) => tx.structures.get(error.workspaceId));
    }
  }
}
