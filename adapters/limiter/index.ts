export { type Limit, type Limiter, type OpenLimiter } from './limiter.ts';
export { inMemory } from './memory.ts';
