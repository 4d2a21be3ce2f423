import type { Yielder as YielderPort } from '../../core/ports/yielder.ts';

/** How long all long work together may run in one turn of the event loop, in ms. */
const SLICE = 2;

/** Units of work between two looks at the clock: some tenths of a millisecond. A unit is a record looked at or written. */
const UNITS_BETWEEN_LOOKS = 32;

/** The event loop that long work runs on. */
export interface EventLoop {
  /** Milliseconds, from any time on. */
  now(): number;
  /** Calls back in a later turn, when others have run. */
  nextTurn(resume: () => void): void;
}

/**
 * Shares the event loop among long works, however many are under way: in one turn they run for at most 2 ms
 * together, and one after the other goes on with the next. So callers with short work wait for one slice, and not
 * for one of each.
 */
export class LoopShare {
  readonly #loop: EventLoop;
  readonly #waiting: (() => void)[] = [];
  /** When the slice of this turn ends; null when no long work has run in it yet. */
  #ends: number | null = null;
  #isArmed = false;

  constructor(loop: EventLoop) {
    this.#loop = loop;
  }

  /** Whether long work has to wait for the next turn. */
  isOver(): boolean {
    const now = this.#loop.now();
    if (this.#ends === null) {
      this.#ends = now + SLICE;
      this.#arm();
    }
    return now >= this.#ends;
  }

  /** Resolves in the turn in which whoever waits may go on, first come, first served. */
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

/** Of this process. */
const SHARE = new LoopShare({
  now: () => performance.now(),
  nextTurn: (resume) => setImmediate(resume),
});

/**
 * Lets the event loop run on now and then during one long work. It waits for nothing outside, and would keep
 * everyone else waiting. The snapshot that is searched holds meanwhile, and so does the turn of a writer.
 */
export class Yielder implements YielderPort {
  readonly #share: LoopShare;
  #units = 0;

  constructor(share = SHARE) {
    this.#share = share;
  }

  step(units = 1): Promise<void> | null {
    this.#units += units;
    if (this.#units < UNITS_BETWEEN_LOOKS) return null;
    this.#units = 0;
    return this.#share.isOver() ? this.#share.next() : null;
  }
}
