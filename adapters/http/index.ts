import { createApp } from './app.ts';
import type { HttpOptions } from './options.ts';

export { connectionLimits, type ConnectionLimits } from './connections.ts';
export { jwtIdentity, type JwtIssuer, type JwtKeys } from '../identity/jwt/index.ts';
export type { Identity } from '../../core/ports/identity.ts';
export type { Limit, Limiter, OpenLimiter } from '../limiter/index.ts';
export { createMetrics, type MetricSnapshot, type Metrics } from '../metrics/index.ts';
export type { HttpOptions, Logger, Service, ServiceOptions } from './options.ts';
export { startService } from './service.ts';

/** The service as a function from request to response, for running it inside another server. */
export interface HttpApp {
  fetch(request: Request): Promise<Response>;
}

export function createHttpApp(options: HttpOptions): HttpApp {
  const app = createApp(options, () => false);
  return { fetch: async (request) => app.fetch(request) };
}
