import type { IncomingMessage, ServerResponse } from 'node:http';

const withoutTimeout = new WeakSet<IncomingMessage>();
const timers = new WeakMap<IncomingMessage, NodeJS.Timeout>();

/** Closes a request whose body does not arrive in time. Node's own `requestTimeout` cannot exempt imports. */
export function limitUploadTime(message: IncomingMessage, response: ServerResponse, timeout: number): void {
  const { headers, socket } = message;
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return;
  const timer = setTimeout(() => {
    // A message that is never read emits 'close' only with its answer, long after it has arrived.
    if (message.complete) return;
    if (withoutTimeout.has(message)) {
      timer.refresh();
      return;
    }
    if (!response.headersSent) socket.write('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n');
    socket.destroy();
  }, timeout).unref();
  timers.set(message, timer);
  message.once('close', () => clearTimeout(timer));
}

/** Suspends the timeout of a request while `work` runs, and begins it anew after that. */
export async function withoutRequestTimeout<T>(
  message: IncomingMessage | undefined,
  work: () => Promise<T>,
): Promise<T> {
  if (message === undefined) return work();
  withoutTimeout.add(message);
  try {
    return await work();
  } finally {
    withoutTimeout.delete(message);
    timers.get(message)?.refresh();
  }
}
