import type { Clock } from '../ports/clock.ts';
import { EspalierError } from './errors.ts';

/** Timestamps are ISO 8601 UTC with milliseconds, so they compare as strings. */
export interface Versioned {
  /** ISO 8601 UTC with milliseconds. */
  readonly createdAt: string;
  /** ISO 8601 UTC with milliseconds. */
  readonly updatedAt: string;
  /** 1 on creation, +1 per change. */
  readonly version: number;
}

/** One slice of a list. */
export interface Slice<T> {
  readonly items: readonly T[];
  /** The `cursor` of the next slice; null at the end. */
  readonly next: string | null;
  /** How many there are in all slices, where `count` asks for it. */
  readonly total?: number;
}

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

/** @throws `version-mismatch` if the caller expects another version than the record has. */
export function expectVersion(
  context: { readonly ifVersion?: readonly number[] | undefined },
  record: { readonly version: number },
): void {
  if (context.ifVersion !== undefined && !context.ifVersion.includes(record.version)) {
    throw new EspalierError('version-mismatch', 'The record has changed since it was read: read it again.');
  }
}
