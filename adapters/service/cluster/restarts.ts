import type { ProcessExit } from './fork.ts';

/** A worker that crashes before it listens, or within this many milliseconds after, counts for a crash loop. */
export const EARLY = 1_000;
/** The number of counted crashes that make a crash loop. */
export const MAX_EARLY_CRASHES = 5;
/** The time within which they happen, in milliseconds. */
export const CRASH_WINDOW = 60_000;
/** A worker that has listened for this many milliseconds is healthy: earlier failures no longer count. */
export const HEALTHY_AFTER = 60_000;

/** Signals that a process causes itself, by a fault in native code or when V8 runs out of memory. */
const FAULTS: ReadonlySet<string> = new Set(['SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGILL', 'SIGSEGV', 'SIGSYS', 'SIGTRAP']);

/** Signals that ask a process to end, with the codes that it exits with when it does so at once: 128 + signal. */
const REQUESTS: ReadonlySet<string> = new Set(['SIGHUP', 'SIGINT', 'SIGTERM']);
const CODES_OF_REQUESTS: ReadonlySet<number> = new Set([129, 130, 143]);

/** Whether a process has ended because it was asked to, in order or at once. */
function wasAskedToEnd({ code, signal }: ProcessExit): boolean {
  return code === null ? signal !== null && REQUESTS.has(signal) : code === 0 || CODES_OF_REQUESTS.has(code);
}

/**
 * Whether a process has ended by its own fault. A process that was killed has not, be it by its operator, by the kernel
 * for lack of memory, or by the supervision of workers. Nor has one that was asked to end.
 */
export function isCrash(end: ProcessExit): boolean {
  const { code, signal } = end;
  if (wasAskedToEnd(end)) return false;
  return code !== null || signal === null || FAULTS.has(signal) || !signal.startsWith('SIG');
}

/** How many workers that fail in a row are replaced at once. */
const IMMEDIATE_RESTARTS = 3;
/** The pause before the next replacement, in milliseconds; each further pause is twice as long. */
const FIRST_PAUSE = 200;
const LONGEST_PAUSE = 5_000;

/** How a worker ended. */
export interface Ended {
  readonly end: ProcessExit;
  /** Whether it reported why it cannot serve. */
  readonly hasFailed: boolean;
  /** Milliseconds for which it listened; null if it never did. */
  readonly age: number | null;
  /** The `failures` of the {@link Restart} that started it. */
  readonly failures: number;
}

/** The start of a replacement. */
export interface Restart {
  /** The pause before it, in milliseconds. */
  readonly pause: number;
  /** How many workers in this place have failed in a row: each ended unasked before it was healthy. */
  readonly failures: number;
}

/**
 * Decides when a worker that has ended is replaced: at once if it was asked to end or was healthy; else after a pause that
 * grows with each failure in a row, as the cause may last; and not at all once workers crash again and again as they
 * start, so that replacing them helps nobody.
 */
export class Restarts {
  /** The times of the crashes that count for a crash loop, oldest first. */
  #crashes: readonly number[] = [];

  /**
   * @param now in milliseconds
   * @returns null for a crash loop
   */
  after({ end, hasFailed, age, failures }: Ended, now: number): Restart | null {
    this.#crashes = this.#crashes.filter((at) => now - at < CRASH_WINDOW);
    if ((hasFailed || isCrash(end)) && (age === null || age < EARLY)) this.#crashes = [...this.#crashes, now];
    if (this.#crashes.length >= MAX_EARLY_CRASHES) return null;
    if (age !== null && !hasFailed && wasAskedToEnd(end)) return { pause: 0, failures: 0 };
    const inRow = age !== null && age >= HEALTHY_AFTER ? 1 : failures + 1;
    const doublings = inRow - IMMEDIATE_RESTARTS - 1;
    return { pause: doublings < 0 ? 0 : Math.min(FIRST_PAUSE * 2 ** doublings, LONGEST_PAUSE), failures: inRow };
  }
}
