import type { Caller } from '../../../core/ports/context.ts';
import { hasBody, type Operation } from '../../schemas/index.ts';
import { withoutRequestTimeout } from '../request/request-timeout.ts';
import type { CountedAs } from '../request/user-of-caller.ts';
import { ConcurrencyQueue, type InTurn } from './concurrency-queue.ts';

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
  const queue = new ConcurrencyQueue(1, countedAs);
  return ({ incoming }, caller, work) => queue.run(caller, work, (turn) => withoutRequestTimeout(incoming, () => turn));
}
