import type { KvValue } from '../kv/kv.ts';
import { pack, unpack } from './shapes.ts';

/** Characters U+0000 to U+00FF are the bytes. */
export const keyEncoder = {
  writeKey(key: string, target: Buffer, start: number): number {
    return start + target.write(key, start, 'latin1');
  },
  readKey(source: Buffer, start: number, end: number): string {
    return source.toString('latin1', start, end);
  },
};

/** No JSON text begins with it. */
const STRING = 0x73;
const PREFIX = 's';

/** A string is kept as its bytes, anything else as JSON. */
export const valueEncoder = {
  encode(value: KvValue): Buffer {
    return typeof value === 'string'
      ? Buffer.from(PREFIX + value, 'latin1')
      : Buffer.from(JSON.stringify(typeof value === 'object' ? pack(value) : value));
  },
  decode(bytes: Buffer): KvValue {
    // The buffer is a window that the engine uses again: its length is of this value.
    const { length } = bytes;
    if (bytes[0] === STRING) return bytes.toString('latin1', 1, length);
    const value = JSON.parse(bytes.toString('utf8', 0, length)) as KvValue;
    return typeof value === 'object' ? unpack(value) : value;
  },
};
