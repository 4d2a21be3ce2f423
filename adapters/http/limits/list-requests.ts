import type { Caller } from '../../../core/ports/context.ts';
import type { Operation } from '../../schemas/index.ts';
import type { CountedAs } from '../request/user-of-caller.ts';
import { ConcurrencyQueue, type InTurn } from './concurrency-queue.ts';
import { HttpError } from '../response/problem.ts';

/**
 * Operations whose answers may hold hundreds of tasks or boards with long texts, or 20,000 pages: up to 80 MB, and as much in
 * memory while it is made.
 */
const LISTS: ReadonlySet<string> = new Set(['pages.list', 'boards.list', 'tasks.list', 'changes.list']);

/** How many of them one user is answered at once, in one process. */
const AT_ONCE = 4;

/** Whether the answers of an operation may be very large lists. */
export function isLargeList({ useCase }: Operation): boolean {
  return LISTS.has(useCase);
}

/**
 * Has a few lists of one user made at once, and others of the user wait: however many requests there are, no more answers
 * of each user are in memory before they are sent.
 */
export function listRequests(countedAs: (caller: Caller) => Promise<CountedAs>, atOnce: number = AT_ONCE): InTurn {
  const queue = new ConcurrencyQueue(atOnce, countedAs);
  return ({ request }, caller, work) =>
    queue.run(caller, work, async (turn) => {
      await turn;
      if (request.signal.aborted) throw new HttpError('too-many-requests', 'The client has gone.');
    });
}
