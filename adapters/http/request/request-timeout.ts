import type { IncomingMessage, ServerResponse } from 'node:http';

const unhurried = new WeakSet<IncomingMessage>();

/** Cuts a request off whose body is not there in time. Node's own limit could not spare an import. */
export function limitUploadTime(message: IncomingMessage, response: ServerResponse, timeout: number): void {
  const { headers, socket } = message;
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return;
  const timer = setTimeout(() => {
    if (unhurried.has(message)) {
      timer.refresh();
      return;
    }
    if (!response.headersSent) socket.write('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n');
    socket.destroy();
  }, timeout).unref();
  message.once('close', () => clearTimeout(timer));
}

/** Lets the body of a request take its time while `work` runs; whoever does so watches that it goes on. */
export async function withoutRequestTimeout<T>(
  message: IncomingMessage | undefined,
  work: () => Promise<T>,
): Promise<T> {
  if (message === undefined) return work();
  unhurried.add(message);
  try {
    return await work();
  } finally {
    unhurried.delete(message);
  }
}
