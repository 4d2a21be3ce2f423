import { hasMoreCharacters } from '../kernel/characters.ts';
import { EspalierError, type FieldError, invalid } from '../kernel/errors.ts';
import { changesOf } from '../kernel/partial-update.ts';
import { utf8Length } from '../kernel/utf8-length.ts';

/** A value of the metadata: text, a finite number or a boolean. */
export type MetadataValue = string | number | boolean;

/** Fields of the host on a record, by key. See {@link METADATA}. */
export type Metadata = Readonly<Record<string, MetadataValue>>;

/** What an update writes: each key is set, or removed by null. */
export type MetadataChanges = Readonly<Record<string, MetadataValue | null>>;

/** A record with metadata. The field is absent if there is none: most records have none. */
export interface HasMetadata {
  /** Fields of the host. Absent: none. */
  readonly metadata?: Metadata;
}

/** Metadata as callers write it. */
export interface WritesMetadata {
  /**
   * Fields of the host, merged into the existing ones. A null value removes a key; null in place of the object removes
   * all keys. Up to 50 keys of 1-40 of `A-Z a-z 0-9 _ . -`, with text of up to 500 characters, numbers up to 2^53 and
   * booleans; 8,192 bytes of JSON, and 262,144 for all statuses and tags of one board together.
   */
  readonly metadata?: MetadataChanges | null;
}

/** A record as it is read: with its metadata, even if there is none. */
export type WithMetadata<T extends HasMetadata> = Omit<T, 'metadata'> & {
  /** Fields of the host; empty if there are none. */
  readonly metadata: Metadata;
};

/**
 * The bounds of metadata. `bytes` are those of its JSON in UTF-8. `__proto__` is no key, as it has a meaning of its own
 * in objects.
 */
export const METADATA = {
  keys: 50,
  key: '^(?!__proto__$)[A-Za-z0-9_.-]{1,40}$',
  longestKey: 40,
  text: 500,
  bytes: 8_192,
  /** Of all statuses and tags of one board together: they are parts of one record. */
  bytesOfParts: 262_144,
} as const;

const KEY = new RegExp(METADATA.key);

export const NO_METADATA: Metadata = Object.freeze({});

/** The metadata that is shown of a record. Frozen: all readers share it. */
export function metadataOf({ metadata }: HasMetadata): Metadata {
  return metadata === undefined ? NO_METADATA : Object.freeze(metadata);
}

/**
 * The metadata after a partial update: keys that are not named stay, null removes one, and null for all of it removes
 * every key. The same object if nothing changes. O(keys).
 *
 * @throws `invalid-input` if it exceeds the bounds of one record, see {@link METADATA}
 */
export function mergedMetadata(before: Metadata, changes: MetadataChanges | null | undefined): Metadata {
  if (changes === undefined) return before;
  if (changes === null) return sizeOf(before) === 0 ? before : NO_METADATA;
  const merged = new Map<string, MetadataValue>(Object.entries(before));
  const errors: FieldError[] = [];
  let differs = false;
  for (const [key, value] of Object.entries(changes)) {
    if (merged.get(key) === (value ?? undefined)) continue;
    differs = true;
    if (value === null) {
      merged.delete(key);
      continue;
    }
    const fault = faultOf(key, value);
    if (fault !== null) errors.push({ pointer: `/metadata/${key}`, detail: fault });
    merged.set(key, value);
  }
  if (errors.length > 0) throw new EspalierError('invalid-input', 'The input is not valid.', errors);
  if (!differs) return before;
  if (merged.size > METADATA.keys) throw invalid('/metadata', `must not have more than ${METADATA.keys} keys`);
  const after = Object.fromEntries(merged);
  if (bytesOf(after) > METADATA.bytes) {
    throw invalid('/metadata', `must not be larger than ${METADATA.bytes} bytes of JSON`);
  }
  return Object.freeze(after);
}

/** The bytes of the metadata of records together, as {@link METADATA} counts them. O(bytes). */
export function metadataBytes(records: readonly HasMetadata[]): number {
  return records.reduce((sum, { metadata }) => (metadata === undefined ? sum : sum + bytesOf(metadata)), 0);
}

/** The record with this metadata; without the field if there is none. */
export function withMetadata<T extends HasMetadata>(record: T, metadata: Metadata): T {
  if (sizeOf(metadata) > 0) return metadata === record.metadata ? record : { ...record, metadata };
  if (!('metadata' in record)) return record;
  const { metadata: _, ...rest } = record;
  return rest as T;
}

/** What a partial update changes, see `changesOf`. */
export interface RecordChanges<T> {
  /** Without metadata. */
  readonly changes: T;
  /** The metadata after the update. */
  readonly metadata: Metadata;
  /** Whether it changes nothing at all. */
  readonly isEmpty: boolean;
}

/**
 * The changes of a partial update of a record with metadata. The parameters are those of `changesOf`.
 *
 * @throws `invalid-input` like `changesOf` and {@link mergedMetadata}
 */
export function recordChanges<T extends WritesMetadata, K extends keyof T & string>(
  record: HasMetadata,
  input: T,
  shown: object,
  writable: readonly K[],
  ids: readonly string[] = [],
  derived: readonly string[] = [],
): RecordChanges<Partial<Pick<T, K>>> {
  const changes = changesOf(input, shown, writable, [...ids, 'metadata'], derived);
  const before = metadataOf(record);
  const metadata = mergedMetadata(before, input.metadata);
  return { changes, metadata, isEmpty: metadata === before && Object.keys(changes).length === 0 };
}

/** The field for a new record: nothing if there is none. @throws `invalid-input` like {@link mergedMetadata} */
export function newMetadata(given: MetadataChanges | null | undefined): HasMetadata {
  if (given === undefined || given === null) return NONE;
  const metadata = mergedMetadata(NO_METADATA, given);
  return metadata === NO_METADATA ? NONE : { metadata };
}

const NONE: HasMetadata = Object.freeze({});

/** A value as filters compare it: `5`, `true`. */
export function metadataText(value: MetadataValue): string {
  return String(value);
}

/** What is wrong with a key or its value; null: nothing. */
function faultOf(key: string, value: MetadataValue): string | null {
  if (!KEY.test(key)) return 'is not a key of 1-40 of A-Z, a-z, 0-9, _, . and -';
  if (typeof value === 'string')
    return hasMoreCharacters(value, METADATA.text) ? `must be up to ${METADATA.text} characters long` : null;
  if (typeof value === 'boolean') return null;
  return Number.isFinite(value) ? null : 'must be text, a finite number or a boolean';
}

function bytesOf(metadata: Metadata): number {
  return utf8Length(JSON.stringify(metadata));
}

function sizeOf(metadata: Metadata): number {
  return Object.keys(metadata).length;
}
