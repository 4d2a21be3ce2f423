import type { Context } from '../ports/context.ts';

/** Runs a read of changes in the turn of its user, or of its caller while the user is not known yet. */
export function inTurn<T>({ turns, effects, caller }: Context, read: () => Promise<T>): Promise<T> {
  return turns === undefined ? read() : turns.run(effects?.userId ?? JSON.stringify(caller), read);
}
