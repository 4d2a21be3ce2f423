import type { Yielder as YielderPort } from '../../core/ports/yielder.ts';

/** The most time that all long work together may take in one turn of the event loop, in milliseconds. */
const SLICE = 2;

/** Units of work between two checks of the clock: some tenths of a millisecond. A unit is a record read or written. */
const UNITS_BETWEEN_CHECKS = 32;

/** The event loop, as a port for tests. */
export interface EventLoop {
  /** Milliseconds since an arbitrary time. */
  now(): number;
  /** Calls back in a later turn of the event loop. */
  nextTurn(resume: () => void): void;
}

/**
 * Cooperative scheduling of long computations on the event loop: in one turn all of them together run for at most 2 ms,
 * and they take turns in order. So short work waits for one time slice, however many long computations there are.
 */
export class LoopShare {
  readonly #loop: EventLoop;
  readonly #waiting: (() => void)[] = [];
  /** When the time slice of this turn ends; null if no long work has run in it yet. */
  #ends: number | null = null;
  #isArmed = false;

  constructor(loop: EventLoop) {
    this.#loop = loop;
  }

  /** Whether the time slice is used up, so that long work must await {@link next}. */
  isOver(): boolean {
    const now = this.#loop.now();
    if (this.#ends === null) {
      this.#ends = now + SLICE;
      this.#arm();
    }
    return now >= this.#ends;
  }

  /** Resolves when it is the caller's turn: first in, first out. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#arm();
    });
  }

  #arm(): void {
    if (this.#isArmed) return;
    this.#isArmed = true;
    this.#loop.nextTurn(() => this.#turn());
  }

  #turn(): void {
    this.#isArmed = false;
    const resume = this.#waiting.shift();
    this.#ends = null;
    if (resume === undefined) return;
    this.#ends = this.#loop.now() + SLICE;
    this.#arm();
    resume();
  }
}

/** The event loop of this process. */
const SHARE = new LoopShare({
  now: () => performance.now(),
  nextTurn: (resume) => setImmediate(resume),
});

/**
 * Yields to the event loop from time to time during one long computation over an open snapshot or write transaction,
 * which stays open meanwhile.
 */
export class Yielder implements YielderPort {
  readonly #share: LoopShare;
  #units = 0;

  constructor(share = SHARE) {
    this.#share = share;
  }

  step(units = 1): Promise<void> | null {
    this.#units += units;
    if (this.#units < UNITS_BETWEEN_CHECKS) return null;
    this.#units = 0;
    return this.#share.isOver() ? this.#share.next() : null;
  }
}
