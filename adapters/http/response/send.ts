import { HTTPResponse, type H3Event } from 'h3';
import type { ServerResponse } from 'node:http';
import type { Headers, Reply } from './reply.ts';

/** What h3 takes for an answer that is on its way already, as with its own `fromNodeHandler`. */
const HANDLED = Symbol.for('h3.handled');

interface Outgoing {
  readonly response: ServerResponse;
  readonly reply: Reply;
  readonly headers: Headers;
  readonly sent: (handled: symbol) => void;
}

let waiting: Outgoing[] = [];

/**
 * Sends an answer: through a socket in one write of head and body, which spares web `Headers` and a
 * `Response` that cost more than the rest of a small request. Answers that are ready in one turn of the event
 * loop go out together: whoever they wake then finds more to read, and is not woken for each. Streams, and
 * requests that came through no socket, take the web's way.
 */
export function send(event: H3Event, reply: Reply, headers: Headers): HTTPResponse | Promise<symbol> {
  const { status, body } = reply;
  const response = event.runtime?.node?.res as ServerResponse | undefined;
  if (response === undefined || body instanceof ReadableStream) {
    return new HTTPResponse(body ?? null, { status, headers });
  }
  return new Promise((sent) => {
    if (waiting.length === 0) setImmediate(sendAll);
    waiting.push({ response, reply, headers, sent });
  });
}

function sendAll(): void {
  const ready = waiting;
  waiting = [];
  for (const { response, reply, headers, sent } of ready) {
    response.writeHead(reply.status, headers);
    response.end(reply.body);
    sent(HANDLED);
  }
}
