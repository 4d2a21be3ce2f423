import { changeLogContract } from './change-log.ts';
import { historiesContract } from './histories.ts';
import { collectionContract } from './collections.ts';
import { contentContract } from './content.ts';
import { recordKeepingContract } from './record-keeping.ts';
import { durabilityContract } from './durability.ts';
import { isolationContract } from './isolation.ts';
import { limitContract } from './limits.ts';
import { reachContract } from './reach.ts';
import { structureContract } from './structures.ts';
import type { StoreTarget } from './target.ts';
import { taskCountContract } from './task-counts.ts';
import { taskFindContract } from './task-find.ts';
import { taskContract } from './tasks.ts';
import { transactionContract } from './transactions.ts';
import { userContract } from './users.ts';

export type { StoreTarget } from './target.ts';

/** Of one test, in milliseconds. */
const TIMEOUT = 60_000;

/**
 * Declares the tests that every store must pass, with the global functions `describe` and `it`. To be called at the top of a
 * test file, of mocha, or of another runner that has both: `docs/extending.md` tells of node:test and Vitest. Each test may
 * take 60 s; mocha is told so. A failing random test names its seed, which the environment variable ESPALIER_SEED repeats.
 *
 * @example
 * import { storeContract } from 'espalier/contract';
 * storeContract({ name: 'mine', open: async () => myStore() });
 */
export function storeContract(target: StoreTarget): void {
  describe(`store contract: ${target.name}`, function () {
    // A store that writes to a disk takes longer for thousands of records than mocha grants. Other runners give no suite here.
    (this as Partial<Mocha.Suite> | undefined)?.timeout?.(TIMEOUT);
    transactionContract(target);
    isolationContract(target);
    collectionContract(target);
    changeLogContract(target);
    historiesContract(target);
    userContract(target);
    structureContract(target);
    reachContract(target);
    contentContract(target);
    recordKeepingContract(target);
    limitContract(target);
    taskContract(target);
    taskCountContract(target);
    taskFindContract(target);
    durabilityContract(target);
  });
}
