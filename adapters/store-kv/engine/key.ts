import { createHash } from 'node:crypto';

/**
 * Order-preserving encodings of values as parts of keys. No encoding is a prefix of another of the same kind, so parts
 * can be joined without separators.
 */

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** No UUID of a known version starts with these seven bytes. */
const NOT_A_UUID = '\xff'.repeat(7);

/** Characters of a UUID in a key. */
const ID = 16;

/** A placeholder for no id, which sorts before every id. */
export const NO_ID = '\0'.repeat(ID);

export function compareKeys(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/** A UUID in 16 characters; any other string at its length. */
export function idKey(id: string): string {
  return packedId(id) ?? `${NOT_A_UUID}${bounded(id)}\0`;
}

/**
 * A UUID of a known version, in lower case, in 16 characters; null for any other text. Unrolled, as keys are made of
 * ids: a pattern and a loop take six times as long.
 */
export function packedId(id: string): string | null {
  if (id.length !== 36 || !hasDashes(id)) return null;
  const [a, b, c, d] = [byteAt(id, 0), byteAt(id, 2), byteAt(id, 4), byteAt(id, 6)];
  const [e, f, g, h] = [byteAt(id, 9), byteAt(id, 11), byteAt(id, 14), byteAt(id, 16)];
  const [i, j, k, l] = [byteAt(id, 19), byteAt(id, 21), byteAt(id, 24), byteAt(id, 26)];
  const [m, n, o, p] = [byteAt(id, 28), byteAt(id, 30), byteAt(id, 32), byteAt(id, 34)];
  const areDigits = (a | b | c | d | e | f | g | h | i | j | k | l | m | n | o | p) >= 0;
  const isKnown = g >= 0x10 && g <= 0x8f && i >= 0x80 && i <= 0xbf;
  if (!areDigits || !isKnown) return null;
  return String.fromCharCode(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p);
}

const DASH = 0x2d;

function hasDashes(id: string): boolean {
  const at = (i: number) => id.charCodeAt(i) === DASH;
  return at(8) && at(13) && at(18) && at(23);
}

/** By character code: the value of a hexadecimal digit in lower case, or -1. */
const DIGITS = Int8Array.from({ length: 128 }, (_, code) => '0123456789abcdef'.indexOf(String.fromCharCode(code)));

/** The byte that two hexadecimal digits stand for; negative if one of them is not a digit. */
function byteAt(text: string, at: number): number {
  return (digit(text.charCodeAt(at)) << 4) | digit(text.charCodeAt(at + 1));
}

function digit(code: number): number {
  return code < 128 ? DIGITS[code]! : -1;
}

/** Decodes {@link idKey}. */
export function idOfKey(key: string): string {
  if (key.startsWith(NOT_A_UUID)) return Buffer.from(key.slice(7, -1), 'latin1').toString('utf8');
  let hex = '';
  for (let i = 0; i < 16; i += 1) {
    if (i === 4 || i === 6 || i === 8 || i === 10) hex += '-';
    hex += HEX[key.charCodeAt(i)];
  }
  return hex;
}

/** The encoded id in a key that starts at a position. */
export function idKeyAt(key: string, start: number): string {
  const end = key.startsWith(NOT_A_UUID, start) ? key.indexOf('\0', start) + 1 : start + ID;
  return key.slice(start, end);
}

/** An integer within +-2^53 in seven characters. */
export function integerKey(value: number): string {
  const high = Math.floor(value / 2 ** 32);
  const low = value - high * 2 ** 32;
  const biased = high + 2 ** 21;
  return String.fromCharCode(
    biased >>> 16,
    (biased >>> 8) & 0xff,
    biased & 0xff,
    (low / 2 ** 24) & 0xff,
    (low / 2 ** 16) & 0xff,
    (low / 2 ** 8) & 0xff,
    low % 2 ** 8,
  );
}

/** Characters of an integer in a key. */
export const INTEGER = 7;

/** Decodes the integer at the end of a key. */
export function lastInteger(key: string): number {
  const at = key.length - INTEGER;
  const byte = (i: number) => key.charCodeAt(at + i);
  const biased = (byte(0) << 16) | (byte(1) << 8) | byte(2);
  const low = ((byte(3) << 24) | (byte(4) << 16) | (byte(5) << 8) | byte(6)) >>> 0;
  return (biased - 2 ** 21) * 2 ** 32 + low;
}

/** An integer from 0 to 2^32 - 1 in four characters. */
export function uint32Key(value: number): string {
  return String.fromCharCode(value >>> 24, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff);
}

const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/**
 * A timestamp with milliseconds in seven characters; any other string at its full length, sorted after all timestamps.
 */
export function timeKey(time: string): string {
  const at = parsed(time);
  return Number.isNaN(at) ? `\xff${bounded(time)}\0` : integerKey(at);
}

export function isTimestamp(time: string): boolean {
  return !Number.isNaN(parsed(time));
}

function parsed(time: string): number {
  return TIMESTAMP.test(time) ? Date.parse(time) : NaN;
}

/** A string as the last part of a key: distinct, but not in order. */
export function textKey(text: string): string {
  return bounded(text);
}

const LONGEST_TEXT = 1000;
// oxlint-disable-next-line no-control-regex
const ASCII = /^[\x00-\x7f]*$/;

/** lmdb limits the length of keys. Values in records fit, but queries may contain longer ones. */
function bounded(text: string): string {
  if (text.length <= LONGEST_TEXT && ASCII.test(text)) return text;
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length <= LONGEST_TEXT) return bytes.toString('latin1');
  const digest = createHash('sha256').update(bytes).digest().toString('latin1');
  return `${bytes.toString('latin1', 0, LONGEST_TEXT - 32)}\xff${digest}`;
}
