import { Slots } from '../../../core/kernel/slots.ts';
import type { Caller } from '../../../core/ports/context.ts';
import { hasBody, type Operation } from '../../schemas/index.ts';
import type { RequestContext } from '../request/request-context.ts';
import { withoutRequestTimeout } from '../request/request-timeout.ts';
import type { CountedAs } from '../request/user-of-caller.ts';
import { HttpError } from '../response/problem.ts';

/** Works on a request when it is the turn of its user. */
export type InTurn = <T>(context: RequestContext, caller: Caller, work: () => Promise<T>) => Promise<T>;

/** Operations whose one transaction may take as long as hundreds of others. */
const BULK: ReadonlySet<string> = new Set(['tasks.createMany', 'tasks.updateMany', 'tasks.deleteMany']);

/** The least size of a large body, in bytes. */
const LARGE_BODY = 65_536;

/** Whether a request changes much at once, or has a large body or one of unknown length. */
export function isBulk({ useCase, method }: Operation, { headers }: Request): boolean {
  if (!hasBody(method)) return false;
  return (
    BULK.has(useCase) || Number(headers.get('content-length') ?? 0) > LARGE_BODY || headers.has('transfer-encoding')
  );
}

/**
 * Reads and processes the bulk requests of one user one after the other in this process: other users wait for one of
 * them at most, and at most one of their bodies is in memory. A body is not read before it is the turn of its request.
 */
export function bulkRequests(countedAs: (caller: Caller) => Promise<CountedAs>): InTurn {
  const slots = new Slots(1);
  return async ({ incoming }, caller, work) => {
    const { key } = await countedAs(caller);
    return slots.run(key, work, (turn) => withoutRequestTimeout(incoming, () => turn));
  };
}

/**
 * Operations whose answers may hold hundreds of tasks or boards with long texts, or 20,000 pages: up to 80 MB, and as
 * much in memory while they are built.
 */
const LISTS: ReadonlySet<string> = new Set(['pages.list', 'boards.list', 'tasks.list', 'changes.list']);

/** How many of them are answered at once for one user in one process. */
const LISTS_AT_ONCE = 4;

/** Whether the answers of an operation may be very large lists. */
export function isLargeList({ useCase }: Operation): boolean {
  return LISTS.has(useCase);
}

/**
 * Builds a few lists of one user at once, while further ones of the user wait: however many requests there are, no more
 * unsent answers of a user are in memory.
 */
export function listRequests(
  countedAs: (caller: Caller) => Promise<CountedAs>,
  atOnce: number = LISTS_AT_ONCE,
): InTurn {
  const slots = new Slots(atOnce);
  return async ({ request }, caller, work) => {
    const { key } = await countedAs(caller);
    return slots.run(key, work, async (turn) => {
      await turn;
      if (request.signal.aborted) throw new HttpError('too-many-requests', 'The client has gone.');
    });
  };
}
