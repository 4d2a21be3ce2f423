import type { ServerResponse } from 'node:http';
import type { WriteBody, Outlet } from './reply.ts';

/** Emitted by a response of which some was written that the client has not read yet. */
export const WRITTEN = 'written';

/** The body of a response to a socket whose headers have been sent. */
export function socketOutlet(response: ServerResponse): Outlet {
  let unsent = 0;
  return {
    get isBlocked() {
      return unsent > 0;
    },
    write(text) {
      if (response.destroyed || response.writableEnded) return Promise.resolve();
      unsent += 1;
      return new Promise((resolve) => {
        // Also called, with an error, when the connection is closed.
        response.write(text, () => {
          unsent -= 1;
          resolve();
        });
        response.emit(WRITTEN);
      });
    },
    end: () => void response.end(),
    onClose(run) {
      if (response.destroyed) run();
      else response.once('close', run);
    },
  };
}

/** The body of a response without a socket. @param goOn writes it */
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
        get isBlocked() {
          return isBlocked();
        },
        write(text) {
          if (isClosed) return Promise.resolve();
          controller.enqueue(encoder.encode(text));
          return isBlocked() ? new Promise((resolve) => void waiting.push(resolve)) : Promise.resolve();
        },
        end() {
          if (isClosed) return;
          controller.close();
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
