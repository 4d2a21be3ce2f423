import { createLocalJWKSet, errors, type JWTVerifyGetKey } from 'jose';
import type { Clock } from '../../../core/ports/clock.ts';
import { EspalierError } from '../../../core/kernel/errors.ts';
import type { LoadKeys } from './sources.ts';

/** The shortest time between two loads for tokens with an unknown key, in milliseconds. */
const COOL_DOWN = 30_000;
/** The shortest time after a failed load, in milliseconds. */
const COOL_DOWN_AFTER_FAILURE = 5_000;

interface LoadedKeys {
  readonly at: number;
  readonly keys: JWTVerifyGetKey;
}

/**
 * A cache of keys that rotate. They are loaded on first use, when they are older than `maxAge`, and, at most
 * every 30 seconds, when a token names an unknown key. Expired keys are never used, even when new ones cannot be
 * loaded.
 *
 * @param maxAge in milliseconds
 * @throws `issuer-unavailable` from looking for a key
 */
export function rotatingKeys(load: LoadKeys, maxAge: number, clock: Clock): JWTVerifyGetKey {
  let loaded: LoadedKeys | null = null;
  let failed: { readonly at: number; readonly error: EspalierError } | null = null;
  let loading: Promise<LoadedKeys> | null = null;

  const isWithin = (at: number, span: number): boolean => {
    const age = clock.now() - at;
    return age >= 0 && age < span;
  };

  const reload = async (): Promise<LoadedKeys> => {
    try {
      const keys = createLocalJWKSet(await load());
      return (loaded = { at: clock.now(), keys });
    } catch (cause) {
      const detail = 'The keys of the token issuer are not available now: try again.';
      const error = new EspalierError('issuer-unavailable', detail, [], { cause });
      failed = { at: clock.now(), error };
      throw error;
    } finally {
      loading = null;
    }
  };

  /** Concurrent callers share one load. */
  const anew = (): Promise<LoadedKeys> => {
    if (failed !== null && isWithin(failed.at, COOL_DOWN_AFTER_FAILURE)) throw failed.error;
    return (loading ??= reload());
  };

  return async (header, token) => {
    const known = loaded !== null && isWithin(loaded.at, maxAge) ? loaded : await anew();
    try {
      return await known.keys(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || isWithin(known.at, COOL_DOWN)) throw error;
      return (await anew()).keys(header, token);
    }
  };
}
