import { RateLimiterMemory } from 'rate-limiter-flexible';
import { limiterOn, type OpenLimiter } from './limiter.ts';

/** Counts in this process, for itself. */
export const inMemory: OpenLimiter = ({ points, seconds }) =>
  limiterOn(new RateLimiterMemory({ points, duration: seconds }));
