import { setImmediate } from 'node:timers';
import type { Yielder as YielderPort } from '../../core/ports/yielder.ts';

/** The most time that all long work together may take in one turn of the event loop, in milliseconds. */
const SLICE = 2;

/** Units of work between two checks of the clock: some tenths of a millisecond. A unit is a record read or written. */
const UNITS_BETWEEN_CHECKS = 32;

/** Bytes of records that take as long: their text is made in a fraction of a millisecond, whatever its script. */
export const BYTES_BETWEEN_CHECKS = 65_536;

/** The bytes of the records that stores of this process have read and written, as far as they count them. */
let bytes = 0;

/** Called by a store for each record: a large one is work of many units. */
export function countBytes(length: number): void {
  bytes += length;
}

export function bytesCounted(): number {
  return bytes;
}

/** The event loop, as a port for tests. */
export interface EventLoop {
  /** Milliseconds since an arbitrary time. */
  now(): number;
  /** Calls back in a later turn of the event loop. */
  nextTurn(resume: () => void): void;
}

/** What a long computation asks to know when it must wait for its turn. */
export interface Share {
  /** Whether the time slice is used up, so that long work must await {@link next}. */
  isOver(): boolean;
  /** Resolves when it is the caller's turn: first in, first out. */
  next(): Promise<void>;
}

/**
 * Cooperative scheduling of long computations on the event loop: in one turn all of them together run for at most 2 ms,
 * and they take turns in order. So short work waits for one time slice, however many long computations there are. Those
 * of writes, which all other writes wait for, have every second turn.
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

  /** The same, for what is done in a write. */
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
const SHARE = new LoopShare({
  now: () => performance.now(),
  nextTurn: (resume) => setImmediate(resume),
});

/** For what is done in a write. */
export const SHARE_OF_WRITES: Share = SHARE.ofWrites;

/**
 * Yields to the event loop from time to time during one long computation over an open snapshot or write transaction,
 * which stays open meanwhile.
 */
export class Yielder implements YielderPort {
  readonly #share: Share;
  #units = 0;
  /** The bytes counted at the last check. */
  #bytes = bytes;

  constructor(share: Share = SHARE) {
    this.#share = share;
  }

  step(units = 1): Promise<void> | null {
    this.#units += units;
    if (this.#units < UNITS_BETWEEN_CHECKS && bytes - this.#bytes < BYTES_BETWEEN_CHECKS) return null;
    this.#units = 0;
    this.#bytes = bytes;
    return this.#share.isOver() ? this.#share.next() : null;
  }
}
