import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Caller } from '../../core/context.ts';
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
}

const MINUTE = 60;

export function limitsOf({ limits = {}, trustedProxies = [] }: HttpOptions): Limits {
  const { requestsPerMinute, failuresPerMinute } = limits;
  const requests = limiter(requestsPerMinute);
  const failures = limiter(failuresPerMinute);
  const addressOf = addressReader(trustedProxies);
  const networkBehind = (exchange: Exchange) => {
    const address = addressOf(exchange);
    return address === undefined ? undefined : networkOf(address);
  };
  return {
    async admit(exchange) {
      const network = networkBehind(exchange);
      if (failures === undefined || network === undefined) return;
      const found = await failures.get(network);
      if (found !== null && found.consumedPoints >= failures.points) throw tooMany(found);
    },
    async count({ marks }, caller) {
      if (requests === undefined) return;
      const { taken, isOver } = await take(requests, keyOf(caller));
      marks['ratelimit-limit'] = String(requests.points);
      marks['ratelimit-remaining'] = String(taken.remainingPoints);
      marks['ratelimit-reset'] = String(secondsOf(taken));
      if (isOver) throw tooMany(taken);
    },
    async fail(exchange) {
      const network = networkBehind(exchange);
      if (failures !== undefined && network !== undefined) await take(failures, network);
    },
  };
}

function limiter(points: number | undefined): RateLimiterMemory | undefined {
  return points === undefined ? undefined : new RateLimiterMemory({ points, duration: MINUTE });
}

function keyOf(caller: Caller): string {
  if (caller.kind === 'operator') return caller.kind;
  return caller.kind === 'token' ? `token ${caller.hash}` : `user ${caller.userId}`;
}

async function take(from: RateLimiterMemory, key: string): Promise<{ taken: RateLimiterRes; isOver: boolean }> {
  try {
    return { taken: await from.consume(key), isOver: false };
  } catch (error) {
    if (error instanceof RateLimiterRes) return { taken: error, isOver: true };
    throw error;
  }
}

function tooMany(taken: RateLimiterRes): Refusal {
  const headers = { 'retry-after': String(secondsOf(taken)) };
  return new Refusal('too-many-requests', 'There were too many requests: wait as long as Retry-After says.', headers);
}

function secondsOf({ msBeforeNext }: RateLimiterRes): number {
  return Math.max(1, Math.ceil(msBeforeNext / 1000));
}
