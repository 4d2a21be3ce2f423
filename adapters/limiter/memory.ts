import { RateLimiterMemory } from 'rate-limiter-flexible';
import { limiterOn, type OpenLimiter } from './limiter.ts';

/** Counts in the memory of this process. */
export const inMemory: OpenLimiter = ({ points, seconds }) =>
  limiterOn(new RateLimiterMemory({ points, duration: seconds }));
