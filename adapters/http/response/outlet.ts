import type { ServerResponse } from 'node:http';
import type { WriteBody, Outlet } from './reply.ts';

/** Emitted by a response when a part of it was written that the client has not read yet. */
export const WRITTEN = 'written';

/** The body of a response to a socket whose headers have been sent. */
export function socketOutlet(response: ServerResponse): Outlet {
  const isOver = () => response.destroyed || response.writableEnded;
  return {
    offer(text) {
      // Written directly to the socket, as the response would hold the bytes back until the end of the turn. The order
      // is kept, as nothing else waits to be written.
      if (!isOver() && response.writableLength === 0) response.socket?.write(text, 'latin1');
    },
    write(text) {
      if (isOver()) return Promise.resolve();
      return new Promise((resolve) => {
        // Also called, with an error, when the connection is closed.
        response.write(text, () => resolve());
        response.emit(WRITTEN);
      });
    },
    end: () => void response.end(),
    cut: () => void response.destroy(),
    onClose(run) {
      if (response.destroyed) run();
      else response.once('close', run);
    },
  };
}

/** The body of a response without a socket. @param goOn writes the body */
export function streamOutlet(goOn: WriteBody): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const listeners: (() => void)[] = [];
  let isClosed = false;
  const waiting: (() => void)[] = [];
  const taken = () => {
    for (const resolve of waiting.splice(0)) resolve();
  };
  const close = () => {
    if (isClosed) return;
    isClosed = true;
    taken();
    for (const run of listeners) run();
  };
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const isBlocked = () => (controller.desiredSize ?? 0) <= 0;
      goOn({
        offer(text) {
          if (!isClosed && !isBlocked()) controller.enqueue(encoder.encode(text));
        },
        write(text) {
          if (isClosed) return Promise.resolve();
          controller.enqueue(typeof text === 'string' ? encoder.encode(text) : text);
          return isBlocked() ? new Promise((resolve) => void waiting.push(resolve)) : Promise.resolve();
        },
        end() {
          if (isClosed) return;
          controller.close();
          close();
        },
        cut() {
          if (isClosed) return;
          controller.error(new Error('The response was cut off.'));
          close();
        },
        onClose(run) {
          if (isClosed) run();
          else listeners.push(run);
        },
      });
    },
    pull: taken,
    cancel: close,
  });
}
