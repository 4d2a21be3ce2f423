import type { IncomingMessage } from 'node:http';
import type { Caller } from '../../../core/ports/context.ts';
import type { Reply } from '../response/reply.ts';

/** One request, as route handlers see it. */
export interface RequestContext {
  readonly request: Request;
  /** The message behind the request, when it came through a socket. */
  readonly incoming: IncomingMessage | undefined;
  readonly requestId: string;
  readonly path: string;
  /** The query string with its `?`, or empty. */
  readonly search: string;
  /** Path parameters, still percent-encoded. */
  readonly params: Readonly<Record<string, string>>;
  /** Headers of the response, also of an error. Names in lower case. */
  readonly responseHeaders: Record<string, string>;
  /** The caller for whom the request was counted, if requests are counted. */
  countedCaller: Caller | undefined;
}

export type Handler = (context: RequestContext) => Promise<Reply>;

/** The handler of one method at a path. */
export interface Endpoint {
  /** The operation id of the OpenAPI document; the label in metrics. */
  readonly operationId: string;
  readonly handle: Handler;
}

/** All handlers at one path. */
export interface Route {
  /** The path template of the OpenAPI document; the name of the route in logs. */
  readonly path: string;
  /** By method. GET also answers HEAD. */
  readonly methods: ReadonlyMap<string, Endpoint>;
  /** Needs no token. */
  readonly isPublic: boolean;
}

/** A path with one method. */
export function routeAt(path: string, method: string, endpoint: Endpoint, isPublic: boolean): Route {
  return { path, methods: new Map([[method, endpoint]]), isPublic };
}

export function endpointOf(route: Route | null, method: string): Endpoint | undefined {
  return route?.methods.get(method === 'HEAD' ? 'GET' : method);
}

export function allowed(route: Route): string {
  const methods = [...route.methods.keys()];
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].sort().join(', ');
}

const REQUEST_ID = /^[\w.:/+=@-]{1,128}$/;

/** The `X-Request-Id` of the client, when it is well-formed. */
export function givenRequestId(request: Request): string | undefined {
  const given = request.headers.get('x-request-id');
  return given !== null && REQUEST_ID.test(given) ? given : undefined;
}
