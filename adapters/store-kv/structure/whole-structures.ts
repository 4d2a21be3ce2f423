import type { ReadTransaction } from '../../../core/ports/store.ts';
import { WholeStructureNeeded } from './lazy-structure.ts';

type RunRead = (work: (tx: ReadTransaction) => Promise<unknown>) => Promise<unknown>;

/**
 * The attempts of a write that are interrupted to load a structure. After that the write loads structures in its own
 * transaction.
 */
const MAX_TRIES = 3;

/**
 * Runs work; if it needs a whole structure that is not in memory, loads that and retries. The structure is loaded in
 * steps, in a separate read, so it holds up no write.
 *
 * @param run called for each attempt, on a new snapshot; its argument tells whether it may load structures itself
 * @param read runs a read that loads the structure into the store's cache
 */
export async function runWithWholeStructures<T>(run: (mayLoad: boolean) => Promise<T>, read: RunRead): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await run(tries > MAX_TRIES);
    } catch (error) {
      if (!(error instanceof WholeStructureNeeded)) throw error;
      await read((tx) => tx.structures.get(error.workspaceId));
    }
  }
}
