import { setImmediate } from 'node:timers';

/** Resolves in a later turn of the event loop, so that other work runs first. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
