import { LRUCache } from 'lru-cache';
import type { Engine } from '../../../core/engine.ts';
import { EspalierError } from '../../../core/kernel/errors.ts';
import type { Caller } from '../../../core/ports/context.ts';

const CACHED_USERS = 50_000;

/** The rate-limit key of a caller, and the error when it is not a user. */
export interface CountedAs {
  readonly key: string;
  /** The error of the look-up. Absent: the caller is a user, or was one at the last look-up. */
  readonly refusal?: EspalierError;
}

export interface UserOfCaller {
  readonly countedAs: (caller: Caller) => Promise<CountedAs>;
  /** Called when a caller was refused: from then on a revoked token counts by itself, and no longer for its user. */
  readonly forget: (caller: Caller) => void;
}

/**
 * Maps a caller to its user, so that all tokens and identities of a user share one limit. The owner of a token or
 * identity never changes, so it is cached; it is used for counting only, never for access.
 */
export function userOfCaller({ me }: Pick<Engine, 'me'>): UserOfCaller {
  // `max` would reserve the memory for all of them at once.
  const users = new LRUCache<string, string>({ maxSize: CACHED_USERS, sizeCalculation: () => 1 });
  const countedAs = async (caller: Caller): Promise<CountedAs> => {
    const credential = credentialOf(caller);
    if (caller.kind === 'operator' || caller.kind === 'user') return { key: credential };
    const known = users.get(credential);
    if (known !== undefined) return { key: known };
    try {
      const key = credentialOf({ kind: 'user', userId: (await me.get({ caller })).id });
      users.set(credential, key);
      return { key };
    } catch (error) {
      if (!(error instanceof EspalierError) || error.code !== 'unauthenticated') throw error;
      return { key: credential, refusal: error };
    }
  };
  return { countedAs, forget: (caller) => void users.delete(credentialOf(caller)) };
}

function credentialOf(caller: Caller): string {
  if (caller.kind === 'operator') return caller.kind;
  if (caller.kind === 'external') return `external ${caller.issuer} ${caller.subject}`;
  return caller.kind === 'token' ? `token ${caller.hash}` : `user ${caller.userId}`;
}
