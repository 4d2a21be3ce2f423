import type { Context } from '../ports/context.ts';

/** Runs a read of changes in the turn of its user; of their token where nothing was read yet. */
export function inTurn<T>({ turns, effects, caller }: Context, read: () => Promise<T>): Promise<T> {
  return turns === undefined ? read() : turns.run(effects?.userId ?? JSON.stringify(caller), read);
}
