import { HTTPResponse, type H3Event } from 'h3/node';
import type { ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers';
import { inThisContext } from '../../event-loop/this-context.ts';
import { isParted, type JsonText } from './json.ts';
import { socketOutlet, streamOutlet } from './outlet.ts';
import type { ResponseHeaders, Reply } from './reply.ts';

export function byteLength(body: JsonText): number {
  if (!isParted(body)) return Buffer.byteLength(body);
  return body.reduce((sum, { length }) => sum + length, 0);
}

/** Tells h3 that the response has been sent already, as its own `fromNodeHandler` does. */
const HANDLED = Symbol.for('h3.handled');

interface WholeReply {
  readonly status: number;
  readonly body?: JsonText | undefined;
}

/** Sends of the responses that wait for the end of the turn. */
let waiting: (() => void)[] = [];

/**
 * Sends a response. To a socket it writes head and body at once, which avoids web `Headers` and `Response` objects; they
 * cost more than the rest of a small request. Responses of one turn of the event loop are written together, to save
 * wake-ups of clients. Streams, and requests without a socket, use a web `Response`.
 */
export function sendReply(event: H3Event, reply: Reply, headers: ResponseHeaders): HTTPResponse | Promise<symbol> {
  const { status, body } = reply;
  const response = event.runtime?.node?.res as ServerResponse | undefined;
  if (typeof body === 'function') {
    if (response === undefined) return new HTTPResponse(streamOutlet(body), { status, headers });
    // The body ends with the connection, so each part is a single write without the framing of chunks.
    response.removeHeader('transfer-encoding');
    response.writeHead(status, { ...headers, connection: 'close' });
    response.flushHeaders();
    const outlet = socketOutlet(response);
    body(outlet);
    // The server ends a handled response.
    return new Promise((sent) => outlet.onClose(() => sent(HANDLED)));
  }
  if (response === undefined || body instanceof ReadableStream) {
    return new HTTPResponse(isParted(body) ? Buffer.concat(body) : (body ?? null), { status, headers });
  }
  return new Promise((sent) => {
    if (waiting.length === 0) setImmediate(sendAll);
    // Listeners of the host hear of the end of a response in the context in which it was written.
    waiting.push(
      inThisContext(() => {
        write(response, { status, body }, headers);
        sent(HANDLED);
      }),
    );
  });
}

/** Text in ASCII alone is copied unchanged, which takes half as long as encoding it. */
function encodingOf(body: string | Uint8Array | undefined): 'latin1' | 'utf8' {
  return typeof body === 'string' && Buffer.byteLength(body) === body.length ? 'latin1' : 'utf8';
}

function sendAll(): void {
  const ready = waiting;
  waiting = [];
  for (const send of ready) send();
}

function write(response: ServerResponse, { status, body }: WholeReply, headers: ResponseHeaders): void {
  response.writeHead(status, headers);
  // Written all at once: what the client has not read counts towards the limit on unread responses.
  if (isParted(body)) for (const part of body) response.write(part);
  if (isParted(body)) response.end();
  else response.end(body, encodingOf(body));
}
