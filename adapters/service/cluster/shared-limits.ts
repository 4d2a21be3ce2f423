import { inMemory, type Limit, type Limiter, type OpenLimiter } from '../../limiter/index.ts';
import type { Ask } from './channel.ts';

interface Use {
  readonly limit: Limit;
  readonly key: string;
}

/** How long a request waits for the primary to count it, in milliseconds. */
const COUNTED_WITHIN = 2_000;

/** The rate limiters for all workers, in the primary. */
export function countForAll() {
  const limiters = new Map<string, Limiter>();
  const limiterOf = (limit: Limit): Limiter => {
    const limiter = limiters.get(limit.name) ?? inMemory(limit);
    limiters.set(limit.name, limiter);
    return limiter;
  };
  return {
    use: ({ limit, key }: Use) => limiterOf(limit).use(key),
    peek: ({ limit, key }: Use) => limiterOf(limit).peek(key),
  };
}

/** Rate limiters that ask the primary. They fail open: a request that cannot be counted is allowed. */
export function countedBy(primary: Ask): OpenLimiter {
  return (limit) => {
    const asked: (name: 'use' | 'peek') => Limiter['use'] = (name) => (key) =>
      primary<Awaited<ReturnType<Limiter['use']>>>(name, { limit, key }, COUNTED_WITHIN).catch(() => ({
        left: limit.points,
        seconds: limit.seconds,
        isOver: false,
      }));
    return { use: asked('use'), peek: asked('peek') };
  };
}
