import type { Caller } from '../../core/ports/context.ts';
import type { Operation } from '../schemas/index.ts';
import type { RequestContext } from './request/request-context.ts';
import type { CountedAs } from './request/user-of-caller.ts';
import { ConcurrencyQueue } from './concurrency-queue.ts';
import { HttpError } from './response/problem.ts';

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

/** Runs a request for a list when it is its turn. */
export type ListRequests = <T>(
  context: Pick<RequestContext, 'request'>,
  caller: Caller,
  work: () => Promise<T>,
) => Promise<T>;

/**
 * Has a few lists of one user made at once, and others of the user wait: however many requests there are, no more answers
 * of each user are in memory before they are sent.
 */
export function listRequests(
  countedAs: (caller: Caller) => Promise<CountedAs>,
  atOnce: number = AT_ONCE,
): ListRequests {
  const queue = new ConcurrencyQueue(atOnce, countedAs);
  return async ({ request }, caller, work) => {
    const leave = await queue.acquire(caller, async (turn) => {
      await turn;
      if (request.signal.aborted) throw new HttpError('too-many-requests', 'The client has gone.');
    });
    try {
      return await work();
    } finally {
      leave();
    }
  };
}
