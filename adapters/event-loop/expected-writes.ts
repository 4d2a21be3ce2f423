import { setImmediate, setTimeout } from 'node:timers';

/** The longest wait for one write, in milliseconds. */
const LONGEST_WAIT = 1;
/** The longest time that one group waits in all, in milliseconds. */
const LONGEST_WAITS = 4;

/**
 * How many writes the next group of a group commit waits for. Clients whose writes were committed together send their next ones
 * at about the same time, but not before the next group can begin: without a wait they miss it, and two groups take
 * turns, each with a commit of its own.
 */
export class ExpectedWrites {
  readonly #longestWait: number;
  readonly #longestWaits: number;
  #expected = 0;
  #before = 0;
  /** When this group stops waiting, in the time of `performance.now()`. Null: it has not begun to wait. */
  #end: number | null = null;
  #isLate = false;
  #wake: (() => void) | null = null;

  /**
   * @param longestWait for one write, in milliseconds
   * @param longestWaits of one group, in milliseconds
   */
  constructor(longestWait = LONGEST_WAIT, longestWaits = LONGEST_WAITS) {
    this.#longestWait = longestWait;
    this.#longestWaits = longestWaits;
  }

  /** Whether a group with this many writes should wait for more. */
  mayWait(writes: number): boolean {
    return writes < this.#expected && !this.#isLate && (this.#end === null || performance.now() < this.#end);
  }

  /**
   * Resolves when a write arrives, or after `longestWait`: the group then waits for no other. Answering the last group
   * may take that long itself, so writes that have arrived by then are read before the wait ends.
   */
  next(): Promise<void> {
    this.#end ??= performance.now() + this.#longestWaits;
    return new Promise((resolve) => {
      const late = () => {
        if (this.#wake !== wake) return;
        this.#isLate = true;
        resolve();
      };
      const timer = setTimeout(() => setImmediate(late), this.#longestWait);
      const wake = () => {
        clearTimeout(timer);
        resolve();
      };
      this.#wake = wake;
    });
  }

  arrived(): void {
    this.#wake?.();
    this.#wake = null;
  }

  /**
   * The next group is expected to be as large as the larger of the last two: writes that missed the one are in the
   * other.
   *
   * @param writes the number of writes in the group that has ended, plus those that wait by then because it was full
   */
  groupEnded(writes: number): void {
    this.#expected = Math.max(writes, this.#before);
    this.#before = writes;
    this.#end = null;
    this.#isLate = false;
    this.#wake = null;
  }
}
