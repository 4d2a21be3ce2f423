import { LRUCache } from 'lru-cache';
import type { Engine } from '../../../core/engine.ts';
import { EspalierError } from '../../../core/kernel/errors.ts';
import type { Caller } from '../../../core/ports/context.ts';

const REMEMBERED = 50_000;

/** The key of a caller to count by, and what it was refused for, if it is no user. */
export interface CountedAs {
  readonly key: string;
  /** Thrown when the caller was looked up. Absent: it is, or was when it was looked up, a user. */
  readonly refusal?: EspalierError;
}

/**
 * Tells which user a caller is, so that all tokens and identities of a user are counted together. To whom a token or an
 * identity belongs never changes: it is looked up once, and decides nothing but what is counted.
 */
export function userOfCaller({ me }: Pick<Engine, 'me'>): (caller: Caller) => Promise<CountedAs> {
  const users = new LRUCache<string, string>({ max: REMEMBERED });
  return async (caller) => {
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
}

function credentialOf(caller: Caller): string {
  if (caller.kind === 'operator') return caller.kind;
  if (caller.kind === 'external') return `external ${caller.issuer} ${caller.subject}`;
  return caller.kind === 'token' ? `token ${caller.hash}` : `user ${caller.userId}`;
}
