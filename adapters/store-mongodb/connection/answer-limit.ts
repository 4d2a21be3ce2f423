import { setInterval } from 'node:timers';
import { MongoNetworkTimeoutError } from 'mongodb';

interface PendingCall {
  /**
   * How often it was checked. Checks are counted instead of time, so that calls do not age while the process is
   * suspended.
   */
  looks: number;
  readonly reject: (error: Error) => void;
}

/** Milliseconds between two checks of the waiting calls. */
const BETWEEN_LOOKS = 1_000;

/**
 * Ends calls that the driver has lost. Version 7.9 waits for ever if it closes a connection itself before the system
 * has accepted a whole large command: a closed socket never emits 'drain'.
 */
export class AnswerLimit {
  readonly #mostLooks: number;
  readonly #calls = new Set<PendingCall>();
  #timer: NodeJS.Timeout | undefined;

  /** @param milliseconds the limit, which is longer than any call takes that is not lost; Infinity: no limit */
  constructor(milliseconds: number) {
    this.#mostLooks = Math.ceil(milliseconds / BETWEEN_LOOKS);
  }

  /** The result of one call of the driver. @throws MongoNetworkTimeoutError after the limit */
  within<T>(call: Promise<T>): Promise<T> {
    this.#timer ??= setInterval(() => this.#look(), BETWEEN_LOOKS).unref();
    return new Promise<T>((resolve, reject) => {
      const waiting: PendingCall = { looks: 0, reject };
      this.#calls.add(waiting);
      call.then(resolve, reject).finally(() => this.#calls.delete(waiting));
    });
  }

  #look(): void {
    for (const waiting of this.#calls) {
      waiting.looks += 1;
      if (waiting.looks <= this.#mostLooks) continue;
      this.#calls.delete(waiting);
      waiting.reject(new MongoNetworkTimeoutError('The driver has not answered for too long.'));
    }
    if (this.#calls.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
