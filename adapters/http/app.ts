import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { H3, type H3Event } from 'h3/node';
import { notFound } from '../../core/kernel/errors.ts';
import { systemTimers } from '../event-loop/timers.ts';
import { createMetrics, type Metrics } from '../metrics/index.ts';
import { validated } from '../schemas/index.ts';
import { authenticationOf, type Authentication } from './request/authentication.ts';
import { hostLogger } from './host-logger.ts';
import { encoded } from './response/compression.ts';
import { crossOrigin } from './response/cross-origin.ts';
import { allowed, endpointOf, givenRequestId, type RequestContext, type Route } from './request/request-context.ts';
import { LargeAnswers } from './limits/large-answers.ts';
import { limitsOf, type ServiceLimits } from './limits/limits.ts';
import type { HttpOptions, Logger } from './options.ts';
import { isExact } from './request/exact-path.ts';
import { isAwaitingContinue } from './request/expect-continue.ts';
import { requireUnambiguous } from './request/framing.ts';
import { problemOf, HttpError } from './response/problem.ts';
import type { Reply } from './response/reply.ts';
import { routesOf } from './routes.ts';
import { EventStreams, type StreamObserver } from './stream/event-streams.ts';
import { byteLength, sendReply } from './response/send.ts';

/** Security headers of every response that does not set its own. Listed in docs/http.md. */
const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/**
 * The h3 application.
 *
 * @param draining aborted when the service closes: waits end, and responses close their connections
 */
export function createApp(given: HttpOptions, draining: AbortSignal): H3 {
  const options = { ...given, ...(given.logger && { logger: hostLogger(given.logger) }) };
  const { logger, metrics = createMetrics(), basePath = '' } = options;
  const engine = metrics.instrumentEngine(validated(options.engine));
  const limits = limitsOf(options, draining);
  const streams = new EventStreams(options.timers ?? systemTimers, draining, streamObserver(metrics, logger));
  const isDraining = () => draining.aborted;
  const authentication = authenticationOf(engine, options.identity, limits);
  const cross = crossOrigin(options.corsOrigins);

  const respond = async (event: H3Event, matched: Route | null): Promise<unknown> => {
    const started = performance.now();
    const context = contextOf(event);
    const route = matched?.isPublic === true || isExact(context) ? matched : null;
    const { requestId, request, responseHeaders } = context;
    cross(context);
    const { reply: plain, code, error } = await answered(route, context, authentication, limits);
    const reply = plain.coded === undefined ? plain : await encoded(plain, request.headers.get('accept-encoding'));
    const seconds = (performance.now() - started) / 1000;
    const { method } = request;
    const path = route?.path ?? 'unknown';
    metrics.request(endpointOf(route, method)?.operationId ?? 'none', method, reply.status, seconds);
    const line = {
      requestId,
      method,
      route: path,
      status: reply.status,
      ...(code && { code }),
      ms: Math.round(seconds * 1e6) / 1000,
    };
    if (reply.status >= 500) logger?.error({ ...line, err: error }, 'request failed');
    else logger?.info(line, 'request');
    const headers = Object.assign(
      { 'x-request-id': requestId },
      HEADERS,
      responseHeaders,
      reply.headers,
      lengthOf(reply),
    );
    if (isDraining() || isAwaitingContinue(context.incoming)) headers['connection'] = 'close';
    return await sendReply(event, reply, headers);
  };

  const app = new H3({ allowMalformedURL: true, silent: true });
  const largeAnswers = new LargeAnswers();
  const parts = { options, engine, authentication, limits, largeAnswers, streams, metrics, isDraining };
  for (const route of routesOf(parts)) {
    app.all(basePath + route.path.replace(/\{(\w+)\}/g, ':$1'), (event) => respond(event, route));
  }
  app.all('/**', (event) => respond(event, null));
  return app;
}

function streamObserver({ streams }: Metrics, logger: Logger | undefined): StreamObserver {
  return {
    opened(requestId) {
      streams.opened();
      logger?.info({ requestId }, 'stream opened');
    },
    closed(requestId, reason, seconds) {
      streams.closed(reason);
      logger?.info({ requestId, reason, seconds: Math.round(seconds) }, 'stream closed');
    },
    failed: (requestId, err) => logger?.error({ requestId, err }, 'stream failed'),
  };
}

function contextOf(event: H3Event): RequestContext {
  const request = event.req as unknown as Request;
  return {
    request,
    incoming: event.runtime?.node?.req as IncomingMessage | undefined,
    requestId: givenRequestId(request) ?? randomUUID(),
    path: event.url.pathname,
    search: event.url.search,
    params: event.context.params ?? {},
    responseHeaders: {},
    countedCaller: undefined,
  };
}

interface Answered {
  readonly reply: Reply;
  readonly code?: string;
  readonly error?: unknown;
}

async function answered(
  route: Route | null,
  context: RequestContext,
  authentication: Authentication,
  limits: ServiceLimits,
): Promise<Answered> {
  try {
    if (context.incoming !== undefined) requireUnambiguous(context.incoming);
  } catch (error) {
    // The next bytes on the connection may belong to this request.
    context.responseHeaders['connection'] = 'close';
    const reply = problemOf(error);
    return { reply, code: reply.code, error };
  }
  try {
    return { reply: await limits.failing(context, () => dispatch(route, context, authentication)) };
  } catch (error) {
    const reply = problemOf(error, context.request.headers.has('authorization'));
    return { reply, code: reply.code, error };
  }
}

function dispatch(route: Route | null, context: RequestContext, authentication: Authentication): Promise<Reply> {
  const endpoint = endpointOf(route, context.request.method);
  return endpoint === undefined ? withoutEndpoint(route, context, authentication) : endpoint.handle(context);
}

async function withoutEndpoint(
  route: Route | null,
  context: RequestContext,
  authentication: Authentication,
): Promise<Reply> {
  const { method } = context.request;
  if (route !== null && method === 'OPTIONS') return { status: 204, headers: { allow: allowed(route) } };
  if (route?.isPublic !== true) await authentication.confirm(await authentication.callerOf(context));
  if (route === null) throw notFound();
  throw new HttpError('method-not-allowed', 'This address does not support this method.', { allow: allowed(route) });
}

/** Explicit, so that the body is not chunked, and HEAD reports the length of GET. */
function lengthOf({ body }: Reply): Record<string, string> {
  if (body === undefined || body instanceof ReadableStream || typeof body === 'function') return {};
  return { 'content-length': String(byteLength(body)) };
}
