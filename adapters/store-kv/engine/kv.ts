/** The value of a key: a record, an encoded id, or a counter. Immutable. */
export type KvValue = string | number | object;

export type KvEntry = readonly [key: string, value: KvValue];

/** Keys from `from` (inclusive) to `to` (exclusive). */
export interface KvRange {
  readonly from: string;
  readonly to: string;
}

/** The first entries of a range, in reading direction. */
export interface KvChunk {
  readonly entries: readonly KvEntry[];
  /** The key up to which the range was read; null: all of it was read. */
  readonly end: string | null;
}

/**
 * An ordered key-value snapshot. Keys are strings of at most 1,900 characters U+0000 to U+00FF, one per byte.
 * Everything is synchronous.
 */
export interface KvReader {
  get(key: string): KvValue | undefined;
  /** The first `limit` entries in ascending or descending key order, however large they are. */
  range(range: KvRange, limit: number, reverse: boolean): readonly KvEntry[];
  /** The same, but it ends early, after as many bytes of entries as may be read between two checks of the clock. */
  chunk(range: KvRange, limit: number, reverse: boolean): KvChunk;
  /** O(entries in the range), without reading them. */
  count(range: KvRange): number;
  /** Whether a range has more than this many entries. O(than), without reading them. */
  hasMore(range: KvRange, than: number): boolean;
}

/** A write transaction, which sees its own writes. */
export interface Kv extends KvReader {
  put(key: string, value: KvValue): void;
  /** Puts a value if the key has none yet. @returns whether it did */
  putNew(key: string, value: KvValue): boolean;
  remove(key: string): void;
}

const FIRST_CHUNK = 16;
const LARGEST_CHUNK = 128;

/**
 * Iterates over a range lazily, in chunks. It holds no cursor between chunks, so entries may be put and removed during
 * the iteration; those put in the chunk already read (at most 128 entries) are not seen.
 *
 * @param expected the expected number of entries, if known
 */
export function* scan(
  kv: KvReader,
  range: KvRange,
  reverse = false,
  expected = FIRST_CHUNK,
): IterableIterator<KvEntry> {
  for (const entries of chunks(kv, range, reverse, expected)) for (const entry of entries) yield entry;
}

/**
 * The same in chunks: several entries at once, unless they are large. For lists, for which a generator step per entry
 * would be slow.
 */
export function* chunks(
  kv: KvReader,
  range: KvRange,
  reverse: boolean,
  expected = FIRST_CHUNK,
): IterableIterator<readonly KvEntry[]> {
  let { from, to } = range;
  for (let limit = Math.min(expected, LARGEST_CHUNK); ; limit = Math.min(limit * 2, LARGEST_CHUNK)) {
    const { entries, end } = kv.chunk({ from, to }, limit, reverse);
    yield entries;
    if (end === null) return;
    if (reverse) to = end;
    else from = successor(end);
  }
}

/** These entries as a chunk of a range of which at most `limit` entries were requested. */
export function chunkOf(entries: readonly KvEntry[], limit: number): KvChunk {
  return { entries, end: entries.length < limit ? null : (entries.at(-1)?.[0] ?? null) };
}

/** The least key greater than this one. */
export function successor(key: string): string {
  return `${key}\0`;
}

/** The range of all keys with a prefix, which must not be empty. */
export function prefixRange(prefix: string): KvRange {
  let end = prefix.length;
  while (prefix.charCodeAt(end - 1) === 0xff) end -= 1;
  const last = prefix.charCodeAt(end - 1);
  return { from: prefix, to: prefix.slice(0, end - 1) + String.fromCharCode(last + 1) };
}

/** Whether a range consists of all keys with a prefix, see {@link prefixRange}. */
export function isOfPrefix({ from, to }: KvRange): boolean {
  return to.length <= from.length && to === prefixRange(from).to;
}

/** The rest of a range after a key, in reading direction. */
export function resumeFrom(range: KvRange, key: string, reverse: boolean): KvRange {
  if (reverse) return { from: range.from, to: key < range.to ? key : range.to };
  return { from: key < range.from ? range.from : successor(key), to: range.to };
}

/** A transaction that refuses writes. */
export function readOnly(reader: KvReader): Kv {
  const refuse = (): never => {
    throw new TypeError('This transaction only reads.');
  };
  return {
    get: (key) => reader.get(key),
    range: (range, limit, reverse) => reader.range(range, limit, reverse),
    chunk: (range, limit, reverse) => reader.chunk(range, limit, reverse),
    count: (range) => reader.count(range),
    hasMore: (range, than) => reader.hasMore(range, than),
    put: refuse,
    putNew: refuse,
    remove: refuse,
  };
}
