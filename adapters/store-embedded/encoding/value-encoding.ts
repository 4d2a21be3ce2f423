import { countBytes } from '../../event-loop/counted-bytes.ts';
import { NO_ID, packedId } from '../../store-kv/engine/key.ts';
import type { KvValue } from '../../store-kv/engine/kv.ts';
import { type RecordParts, codecOf, CODECS } from './record-codecs.ts';
import { isMarked, textIn, TextToWrite } from './stored-text.ts';

/** Keys are strings of the characters U+0000 to U+00FF, one per byte. */
export const keyEncoder = {
  writeKey(key: string, target: Buffer, start: number): number {
    return start + target.write(key, start, 'latin1');
  },
  readKey(source: Buffer, start: number, end: number): string {
    return source.toString('latin1', start, end);
  },
};

/** The first byte of an encoded string. No JSON text begins with it. */
const STRING = 0x73;
const PREFIX = 's';
/** The value of most index entries. */
const EMPTY = Buffer.from(PREFIX);

/** The first byte of a record of codec 0. No stored JSON text begins with this or the bytes of further codecs. */
const FIRST_CODEC = 1;
const ID = 16;
const LONGEST_LIST = 255;

/** Characters of a UUID in text. */
const UUID = 36;
/** The byte of a UUID that begins with its version, which is never 0. */
const VERSION = 6;
const DASH = 0x2d;
const DIGITS = Buffer.from('0123456789abcdef');
/** The buffer in which the text of the ids of a record is built, with room for the most ids of any record. */
const scratch = Buffer.alloc(Math.max(...CODECS.map(({ ids, lists }) => ids + lists * LONGEST_LIST)) * UUID);

/**
 * A string is encoded as its bytes; a record of a known codec as the number of the codec, the length of each of its
 * lists in one byte, its ids, and the rest as JSON; anything else as JSON.
 */
export const valueEncoder = {
  encode(value: KvValue): Buffer {
    if (value === '') return EMPTY;
    if (typeof value === 'string') return Buffer.from(PREFIX + value, 'latin1');
    if (typeof value === 'object') {
      const codec = codecOf(value);
      const packed = codec < 0 ? null : pack(codec, CODECS[codec]!.parts(value));
      if (packed !== null) return counted(packed);
    }
    const text = new TextToWrite(JSON.stringify(value));
    const bytes = Buffer.allocUnsafe(text.length);
    text.write(bytes, 0);
    return counted(bytes);
  },
  /**
   * @param value for values of 16 MiB or more lmdb-js passes a `Uint8Array` that is not a `Buffer`
   * @throws `TypeError` for a codec of a newer release
   */
  decode(value: Uint8Array): KvValue {
    const bytes = value instanceof Buffer ? value : Buffer.from(value.buffer, value.byteOffset, value.length);
    // lmdb reuses the buffer; its length is that of this value.
    const { length } = bytes;
    const first = bytes[0] as number;
    if (first === STRING) return bytes.toString('latin1', 1, length);
    if (first < 0x20 && !isMarked(first)) return unpack(first - FIRST_CODEC, bytes, length);
    return JSON.parse(textIn(bytes, 0, length)) as KvValue;
  },
};

function counted(bytes: Buffer): Buffer {
  countBytes(bytes.length);
  return bytes;
}

/** Null if an id is not a UUID in the usual form, as ids given by a library user may not be. */
function pack(codec: number, { ids, lists, rest }: RecordParts): Buffer | null {
  const all = ids.concat(...lists);
  let packed = '';
  for (const id of all) {
    const key = id === null ? NO_ID : packedId(id);
    if (key === null) return null;
    packed += key;
  }
  const at = 1 + lists.length;
  const behind = at + all.length * ID;
  const json = new TextToWrite(JSON.stringify(rest));
  const bytes = Buffer.allocUnsafe(behind + json.length);
  bytes[0] = FIRST_CODEC + codec;
  for (const [i, list] of lists.entries()) {
    if (list.length > LONGEST_LIST) return null;
    bytes[1 + i] = list.length;
  }
  bytes.write(packed, at, 'latin1');
  json.write(bytes, behind);
  return bytes;
}

function unpack(number: number, bytes: Buffer, length: number): object {
  const codec = CODECS[number];
  if (codec === undefined) throw new TypeError(`There is no codec ${number}.`);
  const at = 1 + codec.lists;
  let count = codec.ids;
  for (let i = 1; i < at; i += 1) count += bytes[i] as number;
  const behind = at + count * ID;
  const text = uuidsIn(bytes, at, count);
  let taken = 0;
  const next = () => text.slice(taken * UUID, (taken += 1) * UUID);
  const ids: (string | null)[] = [];
  while (taken < codec.ids) {
    const isNone = bytes[at + taken * ID + VERSION] === 0;
    const id = next();
    ids.push(isNone ? null : id);
  }
  const lists: string[][] = [];
  for (let i = 1; i < at; i += 1) {
    const list: string[] = [];
    for (let left = bytes[i] as number; left > 0; left -= 1) list.push(next());
    lists.push(list);
  }
  return codec.record(ids, lists, JSON.parse(textIn(bytes, behind, length)) as unknown[]);
}

/**
 * The text of several UUIDs, decoded in one call: V8 represents a text that is concatenated from groups of digits as
 * its parts, and joins them only when it is first compared or looked up.
 */
function uuidsIn(bytes: Buffer, start: number, count: number): string {
  let to = 0;
  for (let i = 0; i < count * ID; i += 1) {
    const byte = bytes[start + i] as number;
    scratch[to++] = DIGITS[byte >>> 4] as number;
    scratch[to++] = DIGITS[byte & 0xf] as number;
    const written = i % ID;
    if (written === 3 || written === 5 || written === 7 || written === 9) scratch[to++] = DASH;
  }
  return scratch.toString('latin1', 0, to);
}
