import type { Caller } from '../../../core/ports/context.ts';
import { hasBody, type Operation } from '../../schemas/index.ts';
import { withoutRequestTimeout } from '../request/request-timeout.ts';
import type { CountedAs } from '../request/user-of-caller.ts';
import { ConcurrencyQueue, type InTurn } from './concurrency-queue.ts';

/** Operations whose one transaction may take as long as hundreds of others. */
const BULK: ReadonlySet<string> = new Set(['tasks.createMany', 'tasks.updateMany', 'tasks.deleteMany']);

/** Bytes of a body from which on it is large. */
const LARGE_BODY = 65_536;

/** Whether a request changes much at once, or has a large body or one of unknown length. */
export function isBulk({ useCase, method }: Operation, { headers }: Request): boolean {
  if (!hasBody(method)) return false;
  return (
    BULK.has(useCase) || Number(headers.get('content-length') ?? 0) > LARGE_BODY || headers.has('transfer-encoding')
  );
}

/**
 * Has the bulk requests of one user read and worked on one after the other in this process: others wait for one of them at
 * most, and no more than one body of them is in memory. Nothing of the next one is read before it has its turn.
 */
export function bulkRequests(countedAs: (caller: Caller) => Promise<CountedAs>): InTurn {
  const queue = new ConcurrencyQueue(1, countedAs);
  return ({ incoming }, caller, work) => queue.run(caller, work, (turn) => withoutRequestTimeout(incoming, () => turn));
}
