import { HTTPResponse, type H3Event } from 'h3';
import type { ServerResponse } from 'node:http';
import type { Headers, Reply } from './reply.ts';

/** What h3 takes for an answer that is on its way already, as with its own `fromNodeHandler`. */
const HANDLED = Symbol.for('h3.handled');

/**
 * Sends an answer: through a socket in one write of head and body, which spares web `Headers` and a
 * `Response` that cost more than the rest of a small request. Streams, and requests that came through no
 * socket, take the web's way.
 */
export function send(event: H3Event, { status, body }: Reply, headers: Headers): HTTPResponse | symbol {
  const response = event.runtime?.node?.res as ServerResponse | undefined;
  if (response === undefined || body instanceof ReadableStream) {
    return new HTTPResponse(body ?? null, { status, headers });
  }
  response.writeHead(status, headers);
  response.end(body);
  return HANDLED;
}
