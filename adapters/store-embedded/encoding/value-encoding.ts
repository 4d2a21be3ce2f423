import { NO_ID, packedId } from '../../store-kv/engine/key.ts';
import type { KvValue } from '../../store-kv/engine/kv.ts';
import { type Parts, codecOf, CODECS } from './record-codecs.ts';

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

/** The first byte of a record of codec 0. No JSON text begins with this or the bytes of further codecs. */
const FIRST_CODEC = 1;
const ID = 16;
const LONGEST_LIST = 255;

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
      if (packed !== null) return packed;
    }
    return Buffer.from(JSON.stringify(value));
  },
  /** @throws `TypeError` for a codec of a newer release */
  decode(bytes: Buffer): KvValue {
    // lmdb reuses the buffer; its length is that of this value.
    const { length } = bytes;
    const first = bytes[0] as number;
    if (first === STRING) return bytes.toString('latin1', 1, length);
    if (first < 0x20) return unpack(first - FIRST_CODEC, bytes, length);
    return JSON.parse(bytes.toString('utf8', 0, length)) as KvValue;
  },
};

/** Null if an id is not a UUID in the usual form, as ids given by a library user may not be. */
function pack(codec: number, { ids, lists, rest }: Parts): Buffer | null {
  const all = ids.concat(...lists);
  let packed = '';
  for (const id of all) {
    const key = id === null ? NO_ID : packedId(id);
    if (key === null) return null;
    packed += key;
  }
  const at = 1 + lists.length;
  const behind = at + all.length * ID;
  const json = JSON.stringify(rest);
  const bytes = Buffer.allocUnsafe(behind + Buffer.byteLength(json));
  bytes[0] = FIRST_CODEC + codec;
  for (const [i, list] of lists.entries()) {
    if (list.length > LONGEST_LIST) return null;
    bytes[1 + i] = list.length;
  }
  bytes.write(packed, at, 'latin1');
  bytes.write(json, behind, 'utf8');
  return bytes;
}

function unpack(number: number, bytes: Buffer, length: number): object {
  const codec = CODECS[number];
  if (codec === undefined) throw new TypeError(`There is no codec ${number}.`);
  const at = 1 + codec.lists;
  let count = codec.ids;
  for (let i = 1; i < at; i += 1) count += bytes[i] as number;
  const behind = at + count * ID;
  const hex = bytes.toString('hex', at, behind);
  const ids: (string | null)[] = [];
  let taken = 0;
  for (; taken < codec.ids; taken += 1) ids.push(uuidAt(hex, taken));
  const lists: string[][] = [];
  for (let i = 1; i < at; i += 1) {
    const list: string[] = [];
    for (const end = taken + (bytes[i] as number); taken < end; taken += 1) list.push(uuidAt(hex, taken) as string);
    lists.push(list);
  }
  return codec.record(ids, lists, JSON.parse(bytes.toString('utf8', behind, length)) as unknown[]);
}

function uuidAt(hex: string, index: number): string | null {
  const at = index * ID * 2;
  // A UUID has its version here, which is never 0.
  if (hex.charCodeAt(at + 12) === 0x30) return null;
  const [a, b, c, d] = [at + 8, at + 12, at + 16, at + 20];
  return `${hex.slice(at, a)}-${hex.slice(a, b)}-${hex.slice(b, c)}-${hex.slice(c, d)}-${hex.slice(d, d + 12)}`;
}
