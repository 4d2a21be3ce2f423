import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers';

/** Bounds the bytes of responses that were written and that clients have not read, over all connections. */
export class UnreadResponses {
  readonly #limit: number;
  readonly #lookEvery: number;
  readonly #close: (socket: Socket) => void;
  /** Connections with a written, unread response, the oldest first. */
  readonly #sockets = new Set<Socket>();
  #isChecking = false;

  /**
   * @param limit in bytes
   * @param lookEvery the timeout of connections with an unread response, in milliseconds
   * @param close called for the oldest connections until the rest is within the limit; it deletes them
   */
  constructor(limit: number, lookEvery: number, close: (socket: Socket) => void) {
    this.#limit = limit;
    this.#lookEvery = lookEvery;
    this.#close = close;
  }

  /** A part of a response was written. Checked once per turn of the event loop: most responses are read by its end. */
  written(socket: Socket): void {
    if (socket.writableLength === 0) return;
    this.#sockets.add(socket);
    if (this.#isChecking) return;
    this.#isChecking = true;
    setImmediate(this.#closeOldest);
  }

  delete(socket: Socket): void {
    this.#sockets.delete(socket);
  }

  readonly #closeOldest = (): void => {
    this.#isChecking = false;
    let total = 0;
    for (const socket of this.#sockets) {
      if (socket.writableLength === 0) this.#sockets.delete(socket);
      else {
        total += socket.writableLength;
        if (socket.timeout !== this.#lookEvery) socket.setTimeout(this.#lookEvery);
      }
    }
    for (const oldest of this.#sockets) {
      if (total <= this.#limit) return;
      total -= oldest.writableLength;
      this.#close(oldest);
    }
  };
}
