import type { Caller } from '../../core/context.ts';
import { EspalierError } from '../../core/errors.ts';
import { inMemory, type Limiter } from '../limiter/index.ts';
import { addressReader, networkOf } from './address.ts';
import type { Exchange } from './exchange.ts';
import type { HttpOptions } from './options.ts';
import { Refusal } from './problem.ts';

/** How often requests may come. */
export interface Limits {
  /** @throws `too-many-requests` where too many have not been signed in */
  admit(exchange: Exchange): Promise<void>;
  /** Counts a request of the caller, and tells how many are left. @throws `too-many-requests` */
  count(exchange: Exchange, caller: Caller): Promise<void>;
  /** Counts a request that could not be signed in. */
  fail(exchange: Exchange): Promise<void>;
  /**
   * Looks something up by an id that is a secret, and counts when there is nothing.
   *
   * @throws `too-many-requests` where too much was looked up in vain
   */
  guess<T>(exchange: Exchange, caller: Caller, lookUp: () => Promise<T>): Promise<T>;
}

const MINUTE = 60;

export function limitsOf({ limits = {}, limiter = inMemory, trustedProxies = [] }: HttpOptions): Limits {
  const perMinute = (name: string, points: number | undefined) =>
    points === undefined ? undefined : limiter({ name, points, seconds: MINUTE });
  const { requestsPerMinute, failuresPerMinute, unknownInvitationsPerMinute } = limits;
  const requests = perMinute('requests', requestsPerMinute);
  const failures = perMinute('failures', failuresPerMinute);
  const guesses = perMinute('invitations', unknownInvitationsPerMinute);
  const addressOf = addressReader(trustedProxies);
  const networksBehind = (exchange: Exchange): string[] => {
    const address = addressOf(exchange);
    return address === undefined ? [] : [networkOf(address)];
  };
  return {
    async admit(exchange) {
      if (failures !== undefined) await requireRoom(failures, networksBehind(exchange));
    },
    async count({ marks }, caller) {
      if (requests === undefined) return;
      const { left, seconds, isOver } = await requests.use(keyOf(caller));
      marks['ratelimit-limit'] = String(requestsPerMinute);
      marks['ratelimit-remaining'] = String(left);
      marks['ratelimit-reset'] = String(seconds);
      if (isOver) throw tooMany(seconds);
    },
    async fail(exchange) {
      if (failures !== undefined) await useAll(failures, networksBehind(exchange));
    },
    async guess(exchange, caller, lookUp) {
      if (guesses === undefined) return lookUp();
      const keys = [keyOf(caller), ...networksBehind(exchange)];
      await requireRoom(guesses, keys);
      try {
        return await lookUp();
      } catch (error) {
        if (error instanceof EspalierError && error.code === 'not-found') await useAll(guesses, keys);
        throw error;
      }
    },
  };
}

async function requireRoom(limiter: Limiter, keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    const { isOver, seconds } = await limiter.look(key);
    if (isOver) throw tooMany(seconds);
  }
}

async function useAll(limiter: Limiter, keys: readonly string[]): Promise<void> {
  for (const key of keys) await limiter.use(key);
}

function keyOf(caller: Caller): string {
  if (caller.kind === 'operator') return caller.kind;
  if (caller.kind === 'external') return `external ${caller.issuer} ${caller.subject}`;
  return caller.kind === 'token' ? `token ${caller.hash}` : `user ${caller.userId}`;
}

function tooMany(seconds: number): Refusal {
  const headers = { 'retry-after': String(seconds) };
  return new Refusal('too-many-requests', 'There were too many requests: wait as long as Retry-After says.', headers);
}
