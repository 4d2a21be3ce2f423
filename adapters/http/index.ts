import type { IncomingMessage, ServerResponse } from 'node:http';
import { toNodeHandler } from 'h3/node';
import { createApp } from './app.ts';
import type { HttpOptions } from './options.ts';
import { requireHttpOptions } from './require-options.ts';

export { connectionLimits, type ConnectionLimits } from './connection/connection-limits.ts';
export { jwtIdentity, type JwtIssuer, type JwtKeys } from '../identity/jwt/index.ts';
export type { Identity } from '../../core/ports/identity.ts';
export type { Limit, Limiter, OpenLimiter } from '../limiter/index.ts';
export { createMetrics, type MetricSnapshot, type Metrics } from '../metrics/index.ts';
export type { ConnectionCounts } from './connection/connection-share.ts';
export type { HttpOptions, Logger, Service, ServiceOptions } from './options.ts';
export { serve, type Served, type ServeOptions } from './serve.ts';
export { startService } from './service.ts';
export type { StreamLimits } from './stream/event-streams.ts';
export type { WaitLimits } from './limits/waiting-requests.ts';

/** The service as a function from request to response, to run it inside another server. */
export interface HttpApp {
  /** Answers one request. Errors are answers, too. The host limits its connections itself. */
  fetch(request: Request): Promise<Response>;
  /**
   * The same for a server of `node:http` and frameworks based on it. `url` must have the whole path. It reads the body
   * itself: mount it in front of body parsers.
   */
  listener(message: IncomingMessage, response: ServerResponse): void;
  /** Ends waiting requests and streams of events. Call it before the server of the host closes. Idempotent. */
  close(): void;
}

/**
 * Makes the service without a server of its own. It listens nowhere and closes nothing that it was given: the engine and the
 * store stay the host's.
 *
 * @throws `invalid-input` for options that are missing, unknown or of another form
 *
 * @example const { engine, identity, store } = espalier; const app = createHttpApp({ engine, identity, ready: () =>
 * store.ready() });
 */
export function createHttpApp(options: HttpOptions): HttpApp {
  requireHttpOptions(options);
  const closing = new AbortController();
  const app = createApp(options, closing.signal);
  const answer = toNodeHandler(app);
  return {
    fetch: async (request) => app.fetch(request),
    listener: (message, response) => void answer(message, response),
    close: () => closing.abort(),
  };
}
