import { RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';

/** So many uses of each key in a window that begins with the first. */
export interface Limit {
  /** Keeps the keys of one limit from those of another. */
  readonly name: string;
  readonly points: number;
  readonly seconds: number;
}

/** Where a key stands in its window. */
export interface Principal {
  /** Uses left. */
  readonly left: number;
  /** Until the window is over, at least 1. */
  readonly seconds: number;
  readonly isOver: boolean;
}

/** Counts uses. */
export interface Limiter {
  /** Counts one; over when it was one too many. */
  use(key: string): Promise<Principal>;
  /** Counts nothing; over when none is left. */
  look(key: string): Promise<Principal>;
}

/** Makes limiters that count in one place. */
export type OpenLimiter = (limit: Limit) => Limiter;

export function limiterOn(backend: RateLimiterAbstract): Limiter {
  return {
    async use(key) {
      try {
        return principalOf(await backend.consume(key), false);
      } catch (error) {
        if (error instanceof RateLimiterRes) return principalOf(error, true);
        throw error;
      }
    },
    async look(key) {
      const found = await backend.get(key);
      if (found === null) return { left: backend.points, seconds: backend.duration, isOver: false };
      return principalOf(found, found.remainingPoints <= 0);
    },
  };
}

function principalOf({ remainingPoints, msBeforeNext }: RateLimiterRes, isOver: boolean): Principal {
  return { left: remainingPoints, seconds: Math.max(1, Math.ceil(msBeforeNext / 1000)), isOver };
}
