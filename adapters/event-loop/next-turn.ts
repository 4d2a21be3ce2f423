import { setImmediate } from 'node:timers';

/** Resolves in a later turn of the event loop: others run before. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
