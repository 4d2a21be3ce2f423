import type { IncomingMessage } from 'node:http';
import type { Reply } from '../response/reply.ts';

/** One request, as the routes see it. */
export interface RequestContext {
  readonly request: Request;
  /** The message behind the request, when it came through a socket. */
  readonly incoming: IncomingMessage | undefined;
  readonly requestId: string;
  readonly path: string;
  /** With its `?`, or empty. */
  readonly search: string;
  /** As they stand in the path, encoded. */
  readonly params: Readonly<Record<string, string>>;
  /** Headers of the answer, whatever it turns out to be. Names in lower case. */
  readonly marks: Record<string, string>;
}

export type Handler = (exchange: RequestContext) => Promise<Reply>;

/** What answers one method at a path. */
export interface Endpoint {
  /** As in the OpenAPI document. It names the request in metrics. */
  readonly operationId: string;
  readonly handle: Handler;
}

/** Everything at one path. */
export interface Route {
  /** The pattern, as it stands in the OpenAPI document. It names the route in logs. */
  readonly path: string;
  /** By method. HEAD goes with GET. */
  readonly methods: ReadonlyMap<string, Endpoint>;
  /** Needs no token. */
  readonly open: boolean;
}

/** A path that takes one method. */
export function routeAt(path: string, method: string, endpoint: Endpoint, open: boolean): Route {
  return { path, methods: new Map([[method, endpoint]]), open };
}

export function endpointOf(route: Route | null, method: string): Endpoint | undefined {
  return route?.methods.get(method === 'HEAD' ? 'GET' : method);
}

export function allowed(route: Route): string {
  const methods = [...route.methods.keys()];
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].sort().join(', ');
}

const REQUEST_ID = /^[\w.:/+=@-]{1,128}$/;

/** The id that the client gave the request, if it is a usable one. */
export function givenRequestId(request: Request): string | undefined {
  const given = request.headers.get('x-request-id');
  return given !== null && REQUEST_ID.test(given) ? given : undefined;
}
