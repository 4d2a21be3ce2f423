import type { End } from './fork.ts';

/** A worker that crashes before it listens, or within this many milliseconds after, counts. */
export const SOON = 1_000;
/** So many crashes that count are a crash loop. */
export const TOO_MANY = 5;
/** Milliseconds within which they happen. */
export const WITHIN = 60_000;

/** Signals that a process brings upon itself: by a fault in native code, or as V8 runs out of memory. */
const FAULTS: ReadonlySet<string> = new Set(['SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGILL', 'SIGSEGV', 'SIGSYS', 'SIGTRAP']);

/**
 * Whether a process has ended by its own fault. One that was killed has not: by its operator, by the kernel for want of
 * memory, or by the watch over workers; nor has one that was asked to end.
 */
export function isCrash({ code, signal }: End): boolean {
  return code === null ? signal === null || FAULTS.has(signal) || !signal.startsWith('SIG') : code !== 0;
}

/** So many in a row are replaced at once. */
const AT_ONCE = 3;
/** Milliseconds before the next; each further pause is twice as long. */
const FIRST_PAUSE = 200;
const LONGEST_PAUSE = 5_000;

/**
 * Milliseconds to wait before a worker is replaced: a cause from outside, as want of memory, may last.
 *
 * @param inVain workers in a row that have ended before they listened
 */
export function pauseAfter(inVain: number): number {
  return inVain <= AT_ONCE ? 0 : Math.min(FIRST_PAUSE * 2 ** (inVain - AT_ONCE - 1), LONGEST_PAUSE);
}

/** Tells when workers crash again and again as they start, so that replacing them helps nobody. */
export class CrashLoop {
  /** When those that count ended, oldest first. */
  #crashes: readonly number[] = [];

  /**
   * @param isOwnFault whether the worker crashed, or told why it cannot serve
   * @param age milliseconds for which the worker listened; null if it never did
   * @param now in milliseconds
   * @returns whether this makes a loop
   */
  isLoop(isOwnFault: boolean, age: number | null, now: number): boolean {
    this.#crashes = this.#crashes.filter((at) => now - at < WITHIN);
    if (isOwnFault && (age === null || age < SOON)) this.#crashes = [...this.#crashes, now];
    return this.#crashes.length >= TOO_MANY;
  }
}
