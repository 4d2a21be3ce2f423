import { Slots } from '../kernel/slots.ts';

/** How many begin in one turn of the event loop: some milliseconds of work. */
const CONCURRENCY = 8;

/**
 * Starts a few reads in each turn of the event loop, first come first: one write wakes everybody who watches the same
 * board, and other requests must not wait for all of them. Each user has one read under way at a time: long reads share
 * the event loop with all others, and a user with many streams that are far behind would get a share for each.
 */
export class Turns {
  readonly #nextTurn: (() => Promise<void>) | undefined;
  readonly #ofUser = new Slots(1);
  readonly #waiting: (() => void)[] = [];
  #left = CONCURRENCY;
  #isArmed = false;

  /** @param nextTurn resolves in a later turn of the event loop. Absent: all begin at once */
  constructor(nextTurn: (() => Promise<void>) | undefined) {
    this.#nextTurn = nextTurn;
  }

  /** Runs the read of a user in their turn. */
  run<T>(userId: string, read: () => Promise<T>): Promise<T> {
    return this.#ofUser.run(userId, async () => {
      await this.#begin();
      return read();
    });
  }

  #begin(): Promise<void> | null {
    if (this.#nextTurn === undefined) return null;
    this.#arm(this.#nextTurn);
    if (this.#left > 0 && this.#waiting.length === 0) {
      this.#left -= 1;
      return null;
    }
    return new Promise((resolve) => void this.#waiting.push(resolve));
  }

  #arm(nextTurn: () => Promise<void>): void {
    if (this.#isArmed) return;
    this.#isArmed = true;
    void nextTurn().then(() => {
      this.#isArmed = false;
      const next = this.#waiting.splice(0, CONCURRENCY);
      this.#left = CONCURRENCY - next.length;
      if (next.length > 0) this.#arm(nextTurn);
      for (const resume of next) resume();
    });
  }
}
