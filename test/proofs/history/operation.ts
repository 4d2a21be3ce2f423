import type { Trace } from './traced-transaction.ts';
import type { Answer } from '../property/sequence/sequences.ts';

/** One call of a run, and all that it takes to make it again. */
export interface Operation {
  /** Of the caller: calls of one client never overlap. */
  readonly client: string;
  /** Null: the operator. */
  readonly userId: string | null;
  readonly noun: string;
  readonly verb: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly ifVersion?: readonly number[];
  /** In microseconds of a clock that all processes of the machine share. */
  readonly start: number;
  readonly end: number;
  /** What the call took for the time, in ms. */
  readonly now: number;
  /** The ids that the run of it drew that counted. */
  readonly ids: readonly string[];
  readonly writes: boolean;
  /** What that run has left behind. */
  readonly traces: readonly Trace[];
  /** Null: the caller was told that the outcome is unknown. */
  readonly answer: Answer | null;
}

/** What changes without a version, at its own time. */
const ASIDE = new Set(['lastActivity', 'lastUsedAt']);

/** An answer as a text by which to tell whether it is the same. */
export function told(answer: unknown): string {
  return JSON.stringify(answer, (key, value: unknown) => {
    if (ASIDE.has(key)) return undefined;
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
}
