import type { IncomingMessage } from 'node:http';
import type { RequestContext } from './request-context.ts';

const HALF_CLOSED = 'half-closed';

/** Tells a running request that its client has closed its side of the connection. */
export function markHalfClosed(message: IncomingMessage): void {
  message.emit(HALF_CLOSED);
}

/**
 * For waits and streams: aborted when the client has gone. A client that has closed its side of the connection counts as
 * gone too: it may still read an answer, but nothing else would tell that it does not, as long as nothing is sent.
 */
export function clientGone({ request, incoming }: Pick<RequestContext, 'request' | 'incoming'>): AbortSignal {
  const { signal } = request;
  if (incoming === undefined) return signal;
  const gone = new AbortController();
  const abort = () => gone.abort();
  if (signal.aborted || incoming.socket.readableEnded) abort();
  else {
    signal.addEventListener('abort', abort);
    incoming.once(HALF_CLOSED, abort);
  }
  return gone.signal;
}
