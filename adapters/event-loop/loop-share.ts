import { setImmediate } from 'node:timers';

/** The most time that all long work together may take in one turn of the event loop, in milliseconds. */
const SLICE = 2;

/** The event loop, as a port for tests. */
export interface EventLoop {
  /** Milliseconds since an arbitrary time. */
  now(): number;
  /** Calls back in a later turn of the event loop. */
  nextTurn(resume: () => void): void;
}

/** The interface by which a long computation takes turns with other work. */
export interface Share {
  /** Whether the time slice is used up, so that long work must await {@link next}. */
  isOver(): boolean;
  /** Resolves when it is the caller's turn: first in, first out. */
  next(): Promise<void>;
}

/**
 * Cooperative scheduling of long computations on the event loop: in one turn all of them together run for at most 2 ms,
 * and they take turns in order. So short work waits for one time slice, however many long computations there are.
 * Computations of writes get every second turn, because all other writes wait for them.
 */
export class LoopShare implements Share {
  readonly #loop: EventLoop;
  readonly #waiting: (() => void)[] = [];
  readonly #writes: (() => void)[] = [];
  #isTurnOfWrites = true;
  /** When the time slice of this turn ends; null if no long work has run in it yet. */
  #ends: number | null = null;
  #isArmed = false;

  constructor(loop: EventLoop) {
    this.#loop = loop;
  }

  /** The same, for computations of writes. */
  readonly ofWrites: Share = { isOver: () => this.isOver(), next: () => this.#nextOf(this.#writes) };

  isOver(): boolean {
    const now = this.#loop.now();
    if (this.#ends === null) {
      this.#ends = now + SLICE;
      this.#arm();
    }
    return now >= this.#ends;
  }

  next(): Promise<void> {
    return this.#nextOf(this.#waiting);
  }

  #nextOf(queue: (() => void)[]): Promise<void> {
    return new Promise((resolve) => {
      queue.push(resolve);
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
    const [first, second] = this.#isTurnOfWrites ? [this.#writes, this.#waiting] : [this.#waiting, this.#writes];
    this.#isTurnOfWrites = !this.#isTurnOfWrites;
    const resume = first.shift() ?? second.shift();
    this.#ends = null;
    if (resume === undefined) return;
    this.#ends = this.#loop.now() + SLICE;
    this.#arm();
    resume();
  }
}

/** The event loop of this process. */
export const LOOP_SHARE = new LoopShare({
  now: () => performance.now(),
  nextTurn: (resume) => setImmediate(resume),
});

/** For computations of writes. */
export const SHARE_OF_WRITES: Share = LOOP_SHARE.ofWrites;
