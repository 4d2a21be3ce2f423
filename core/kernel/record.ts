import type { Clock } from '../ports/clock.ts';
import { EspalierError } from './errors.ts';

/** Timestamps are ISO 8601 UTC with milliseconds, so they compare as strings. */
export interface Versioned {
  /** ISO 8601 UTC with milliseconds. */
  readonly createdAt: string;
  /** ISO 8601 UTC with milliseconds. */
  readonly updatedAt: string;
  /** 1 on creation; each change adds 1. */
  readonly version: number;
}

/** A record of any kind, by the names of its fields. */
export type FieldValues = Readonly<Record<string, unknown>>;

/** One slice of a list. */
export interface Slice<T> {
  /** The records of this slice, in the order of the list. */
  readonly items: readonly T[];
  /** The `cursor` of the next slice; null at the end. */
  readonly next: string | null;
  /** The number of items in all slices. Present if requested with `count`. */
  readonly total?: number;
}

/** Which slice of a list. */
export interface Paging {
  /** 1-500, default 100. */
  readonly limit?: number;
  /** The `next` of the previous slice. */
  readonly cursor?: string;
}

/** Which names an answer has beside ids. */
export interface Expanding<Id extends string> {
  /** Which ids of each record to resolve to names, in `expanded`. */
  readonly expand?: readonly Id[];
}

/** The year 10000, in milliseconds: earlier timestamps sort correctly as texts. */
export const END_OF_TIME = 253_402_300_800_000;

export const DEFAULT_LIMIT = 100;

export function timestamp(context: { readonly clock: Clock }): string {
  return textOf(context.clock.now());
}

let lastTime = NaN;
let lastText = '';

/** Caches the last text: one call asks for the same millisecond several times. */
function textOf(time: number): string {
  if (time !== lastTime) [lastTime, lastText] = [time, new Date(time).toISOString()];
  return lastText;
}

export function created(at: string): Versioned {
  return { createdAt: at, updatedAt: at, version: 1 };
}

/** `updatedAt` of a record never goes back, even if the clock does. */
export function changed<T extends Versioned>(record: T, changes: Partial<NoInfer<T>>, at: string): T {
  return {
    ...record,
    ...changes,
    updatedAt: at > record.updatedAt ? at : record.updatedAt,
    version: record.version + 1,
  };
}

/**
 * The version of a record as it was read. A task has separate versions for members who do not see its board: the same
 * number can mean an older state if `boardHidden` differs.
 */
export interface ReadVersion {
  /** The version of the record as it was read. */
  readonly version: number;
  /** Whether it was a task without its board. Default false. */
  readonly boardHidden?: boolean | undefined;
}

/** A version that a call expects. A number alone matches a task both with its board and without. */
export type ExpectedVersion = number | ReadVersion;

/** @throws `version-mismatch` if the caller expects another version than the record has. */
export function expectVersion(
  context: { readonly ifVersion?: readonly ExpectedVersion[] | undefined },
  record: ReadVersion,
): void {
  if (context.ifVersion === undefined || context.ifVersion.some((expected) => isMet(expected, record))) return;
  throw new EspalierError('version-mismatch', 'The record has changed since it was read: read it again.');
}

function isMet(expected: ExpectedVersion, { version, boardHidden = false }: ReadVersion): boolean {
  if (typeof expected === 'number') return expected === version;
  return expected.version === version && (expected.boardHidden ?? false) === boardHidden;
}
