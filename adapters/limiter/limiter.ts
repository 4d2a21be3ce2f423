import { RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';

/** A fixed-window limit: a number of uses per key, in a window that begins with the first use. */
export interface Limit {
  /** A prefix that separates the keys of this limit from those of others. */
  readonly name: string;
  /** Uses in a window. */
  readonly points: number;
  /** The length of a window, in seconds. */
  readonly seconds: number;
}

/** The state of a key in its window. */
export interface WindowState {
  /** Uses left. */
  readonly left: number;
  /** Seconds until the window ends: from 1 to its length. */
  readonly seconds: number;
  /** Whether the limit is exceeded. */
  readonly isOver: boolean;
}

/** Counts uses. */
export interface Limiter {
  /** Counts one use. The limit is exceeded if it was one too many. */
  use(key: string): Promise<WindowState>;
  /** Counts no use. The limit is exceeded if none is left. */
  peek(key: string): Promise<WindowState>;
}

/** Creates limiters that share their counts. */
export type OpenLimiter = (limit: Limit) => Limiter;

export function limiterOn(backend: RateLimiterAbstract): Limiter {
  const stateOf = ({ remainingPoints, msBeforeNext }: RateLimiterRes, isOver: boolean): WindowState => {
    // After the clock was set back, the end of the window seems to be further away.
    const seconds = Math.min(Math.max(1, Math.ceil(msBeforeNext / 1000)), backend.duration);
    return { left: remainingPoints, seconds, isOver };
  };
  return {
    async use(key) {
      try {
        return stateOf(await backend.consume(key), false);
      } catch (error) {
        if (error instanceof RateLimiterRes) return stateOf(error, true);
        throw error;
      }
    },
    async peek(key) {
      const found = await backend.get(key);
      if (found === null) return { left: backend.points, seconds: backend.duration, isOver: false };
      return stateOf(found, found.remainingPoints <= 0);
    },
  };
}
