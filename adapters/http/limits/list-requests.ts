import type { Caller } from '../../../core/ports/context.ts';
import type { Operation } from '../../schemas/index.ts';
import type { CountedAs } from '../request/user-of-caller.ts';
import { ConcurrencyQueue, type InTurn } from './concurrency-queue.ts';
import { HttpError } from '../response/problem.ts';

/**
 * Operations whose answers may hold hundreds of tasks or boards with long texts, or 20,000 pages: up to 80 MB, and as
 * much in memory while they are built.
 */
const LISTS: ReadonlySet<string> = new Set(['pages.list', 'boards.list', 'tasks.list', 'changes.list']);

/** How many of them are answered at once for one user in one process. */
const AT_ONCE = 4;

/** Whether the answers of an operation may be very large lists. */
export function isLargeList({ useCase }: Operation): boolean {
  return LISTS.has(useCase);
}

/**
 * Builds a few lists of one user at once, while further ones of the user wait: however many requests there are, no more
 * unsent answers of a user are in memory.
 */
export function listRequests(countedAs: (caller: Caller) => Promise<CountedAs>, atOnce: number = AT_ONCE): InTurn {
  const queue = new ConcurrencyQueue(atOnce, countedAs);
  return ({ request }, caller, work) =>
    queue.run(caller, work, async (turn) => {
      await turn;
      if (request.signal.aborted) throw new HttpError('too-many-requests', 'The client has gone.');
    });
}
