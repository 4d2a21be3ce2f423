import { BoundedWeakCache } from '../../../core/kernel/bounded-weak-cache.ts';
import { EventLoopYielder } from '../../event-loop/yielder.ts';

/** JSON as it is sent. A large body comes in parts, so that it is never copied as a whole. */
export type JsonText = string | Uint8Array | readonly Uint8Array[];

/** Whether a body comes in parts. */
export function isParted(body: unknown): body is readonly Uint8Array[] {
  return Array.isArray(body);
}

/** Items of a list that are written together with whatever is around it. */
const ITEMS_AT_ONCE = 16;

/** A list as JSON, written in steps between which other work runs. */
export async function jsonList(records: readonly object[]): Promise<JsonText> {
  const [first] = records;
  if (first === undefined) return '[]';
  if (records.length <= ITEMS_AT_ONCE && !Object.isFrozen(first) && !records.some(isLarge)) {
    return JSON.stringify(records);
  }
  return atOnce(records) ?? joined(listPieces(records));
}

/** A record as JSON. Long lists in it are written in steps between which other work runs. */
export function jsonRecord(record: object): string | Promise<JsonText> {
  return isLarge(record) ? joined(recordPieces(record)) : JSON.stringify(record);
}

/**
 * The JSON of a record, piece by piece. A piece of a long list in it has as many items as are written in a fraction of
 * a millisecond.
 */
export function* recordPieces(record: object): Generator<string | Buffer, void> {
  if (!isLarge(record)) {
    yield JSON.stringify(record);
    return;
  }
  let before = '{';
  for (const [name, value] of Object.entries(record) as [string, unknown][]) {
    if (value === undefined) continue;
    const key = `${before}${JSON.stringify(name)}:`;
    before = ',';
    if (isLong(value) || isLarge(value)) {
      yield key;
      yield* isLong(value) ? listPieces(value) : recordPieces(value);
    } else yield key + JSON.stringify(value);
  }
  yield '}';
}

/** Bytes of frozen records that are joined in one step, which takes less than a millisecond. */
const MAX_AT_ONCE = 524_288;

/** The list in one buffer of its size. Null if it is too large for one step, or if a record is not frozen. */
function atOnce(records: readonly object[]): Uint8Array | null {
  const items: Buffer[] = [];
  let size = 1;
  for (const record of records) {
    if (!Object.isFrozen(record)) return null;
    const text = textOf(record);
    size += text.length + 1;
    if (size > MAX_AT_ONCE) return null;
    items.push(text);
  }
  const list = Buffer.allocUnsafeSlow(size);
  let at = 0;
  for (const text of items) {
    list[at] = at === 0 ? OPENING : COMMA;
    list.set(text, at + 1);
    at += 1 + text.length;
  }
  list[at] = CLOSING;
  return list;
}

function isLong(value: unknown): value is readonly object[] {
  return Array.isArray(value) && value.length > ITEMS_AT_ONCE && typeof value[0] === 'object';
}

/** Whether a record, or the record in an event, has a long list. */
function isLarge(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  for (const name of Object.keys(value)) if (isLong(Reflect.get(value, name))) return true;
  return 'record' in value && isLarge(value.record);
}

/** Characters that are written at once, about. */
const GROUP = 65_536;

/** The JSON of a list: the cached text of each frozen item, and the text of several other items at once. */
function* listPieces(items: readonly object[]): Generator<string | Buffer, void> {
  let most = ITEMS_AT_ONCE;
  let separator = '[';
  for (let next = 0; next < items.length; separator = ',') {
    const item = items[next]!;
    yield separator;
    if (Object.isFrozen(item) || isLarge(item)) {
      if (Object.isFrozen(item)) yield textOf(item);
      else yield* recordPieces(item);
      next += 1;
      continue;
    }
    const first = next;
    do next += 1;
    while (next < items.length && next - first < most && !isLarge(items[next]));
    const text = JSON.stringify(items.slice(first, next)).slice(1, -1);
    yield text;
    // After large items the next piece has fewer, but never more than at first: very large items may follow small ones.
    most = Math.max(1, Math.min(ITEMS_AT_ONCE, Math.floor((GROUP * (next - first)) / text.length)));
  }
  yield ']';
}

/** Bytes that are written in the time of one unit of a `Yielder`. */
const UNIT = 2_048;

/** The pieces as one text. Other work runs between them. */
async function joined(pieces: Iterable<string | Buffer>): Promise<JsonText> {
  const text = new PartedText();
  const yielder = new EventLoopYielder();
  for (const piece of pieces) {
    const bytes = typeof piece === 'string' ? text.write(piece) : text.copy(piece);
    const pause = yielder.step(bytes / UNIT);
    if (pause !== null) await pause;
  }
  return text.parts();
}

/**
 * The most bytes of cached texts of one kind. The records that a store in memory has in use may take more than this as
 * text.
 */
export const MAX_KEPT_BYTES = 32 * 1024 ** 2;

/** JSON by frozen record, which all readers share. */
const texts = new BoundedWeakCache<object, Buffer>(MAX_KEPT_BYTES);

function textOf(record: object): Buffer {
  const known = texts.get(record);
  if (known !== undefined) return known;
  const text = toOwnBuffer(JSON.stringify(record));
  texts.set(record, text, text.length);
  return text;
}

/**
 * A text to be cached. `Buffer.from` would cut a small buffer out of a pool of 8 KiB, which would live as long as it
 * does.
 */
export function toOwnBuffer(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}

/**
 * Bytes of the first part. Each further part is twice as large, up to the largest part, or as large as the text that is
 * written.
 */
const FIRST_PART = 32_768;
const LARGEST_PART = 1_048_576;
const COMMA = 0x2c;
const OPENING = 0x5b;
const CLOSING = 0x5d;
/** Bytes that a character takes in UTF-8, at most: a pair that stands for one takes 4. */
const MAX_BYTES = 3;

/**
 * A text that grows. It is written into its final buffers: joining many small ones would leave each to the garbage
 * collector, whose pauses hold up all requests.
 */
class PartedText {
  readonly #closed: Uint8Array[] = [];
  #part = Buffer.allocUnsafeSlow(FIRST_PART);
  #size = 0;

  /** @returns how many bytes it is */
  write(text: string): number {
    this.#makeRoom(text.length * MAX_BYTES);
    const bytes = text.length === 1 ? this.#writeOne(text) : this.#part.write(text, this.#size);
    this.#size += bytes;
    return bytes;
  }

  /** A piece of JSON that is one character long is a digit or punctuation. */
  #writeOne(text: string): 1 {
    this.#part[this.#size] = text.charCodeAt(0);
    return 1;
  }

  /** @returns how many bytes it is */
  copy(bytes: Uint8Array): number {
    this.#makeRoom(bytes.length);
    this.#part.set(bytes, this.#size);
    this.#size += bytes.length;
    return bytes.length;
  }

  parts(): Uint8Array | readonly Uint8Array[] {
    this.#close();
    return this.#closed.length === 1 ? this.#closed[0]! : this.#closed;
  }

  #makeRoom(bytes: number): void {
    if (this.#size + bytes <= this.#part.length) return;
    this.#close();
    this.#part = Buffer.allocUnsafeSlow(Math.max(bytes, Math.min(2 * this.#part.length, LARGEST_PART)));
    this.#size = 0;
  }

  #close(): void {
    if (this.#size > 0) this.#closed.push(this.#part.subarray(0, this.#size));
  }
}
