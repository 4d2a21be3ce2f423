import type { Caller } from '../../../core/ports/context.ts';
import { clientGone } from '../request/client-gone.ts';
import type { RequestContext } from '../request/request-context.ts';
import type { CountedAs } from '../request/user-of-caller.ts';
import { ConcurrencyLimit } from './concurrency-limit.ts';

/** The most requests that wait for changes at once in one process. */
export interface WaitLimits {
  /** The most of one user. Default 32. */
  readonly perUser?: number;
  /** The most of all users. Default 1,024. */
  readonly perProcess?: number;
}

const PER_USER = 32;
const PER_PROCESS = 1_024;
const REFUSAL = 'Too many requests wait for changes: end one of them, or send this one without wait.';

/**
 * Runs a wait on behalf of a request. The wait ends when the client has gone or the service closes.
 *
 * @param wait rejects when its signal is aborted
 * @throws `too-many-requests` if too many requests wait already
 */
export type WaitingRequests = (
  context: RequestContext,
  caller: Caller,
  wait: (signal: AbortSignal) => Promise<unknown>,
) => Promise<void>;

/** @param draining aborted when the service closes, which ends all waits */
export function waitingRequests(
  { perUser = PER_USER, perProcess = PER_PROCESS }: WaitLimits,
  countedAs: (caller: Caller) => Promise<CountedAs>,
  draining: AbortSignal,
): WaitingRequests {
  const slots = new ConcurrencyLimit({ perUser, perProcess }, countedAs, REFUSAL);
  const running = new Set<AbortController>();
  draining.addEventListener('abort', () => {
    for (const each of running) each.abort();
  });
  return async (context, caller, wait) => {
    const leave = await slots.acquire(caller);
    const signal = clientGone(context);
    const end = new AbortController();
    const abort = () => end.abort();
    running.add(end);
    signal.addEventListener('abort', abort);
    if (signal.aborted || draining.aborted) abort();
    try {
      if (!draining.aborted) await wait(end.signal);
    } catch (error) {
      if (!end.signal.aborted) throw error;
    } finally {
      signal.removeEventListener('abort', abort);
      running.delete(end);
      leave();
    }
  };
}
