import { AsyncResource } from 'node:async_hooks';

/**
 * The function, run in the asynchronous context of this call whoever calls it. So what it calls of the host finds the
 * `AsyncLocalStorage` of its own caller, even if work of several callers runs in one loop.
 */
export function inThisContext<Args extends unknown[], Result>(
  run: (...args: Args) => Result,
): (...args: Args) => Result {
  const context = new AsyncResource('EspalierCall');
  return (...args) => context.runInAsyncScope(run, undefined, ...args);
}
