import { setInterval } from 'node:timers';
import { MongoNetworkTimeoutError } from 'mongodb';

interface Waiting {
  /** How often it was checked. A process that was suspended has not checked, so its calls have not become older. */
  looks: number;
  readonly reject: (error: Error) => void;
}

/** Milliseconds between two looks at the calls that wait. */
const BETWEEN_LOOKS = 1_000;

/**
 * Ends calls that the driver has lost. Version 7.9 waits for ever when it closes a connection itself while the system has
 * not taken all of a large command yet: a closed socket is never drained.
 */
export class AnswerLimit {
  readonly #mostLooks: number;
  readonly #calls = new Set<Waiting>();
  #timer: NodeJS.Timeout | undefined;

  /** @param milliseconds longer than any call may take that the driver has not lost; Infinity: no limit */
  constructor(milliseconds: number) {
    this.#mostLooks = Math.ceil(milliseconds / BETWEEN_LOOKS);
  }

  /** The result of one call of the driver. @throws MongoNetworkTimeoutError after the limit */
  within<T>(call: Promise<T>): Promise<T> {
    this.#timer ??= setInterval(() => this.#look(), BETWEEN_LOOKS).unref();
    return new Promise<T>((resolve, reject) => {
      const waiting: Waiting = { looks: 0, reject };
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
