import type { KvValue } from '../kv/kv.ts';
import { remembering } from './remembered.ts';
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

/** The JSON text of a packed task begins with `[0,`: there are most of these, and they are read most. */
const [OPEN, TASK, COMMA] = Buffer.from('[0,');

/** A string is kept as its bytes, anything else as JSON. One encoder belongs to one store. */
export function valueEncoder() {
  const decodeTask = remembering(decode as (bytes: Buffer, length: number) => object);
  return {
    encode(value: KvValue): Buffer {
      return typeof value === 'string'
        ? Buffer.from(PREFIX + value, 'latin1')
        : Buffer.from(JSON.stringify(typeof value === 'object' ? pack(value) : value));
    },
    decode(bytes: Buffer): KvValue {
      // The buffer is a window that the engine uses again: its length is of this value.
      const { length } = bytes;
      if (bytes[0] === STRING) return bytes.toString('latin1', 1, length);
      const isTask = bytes[0] === OPEN && bytes[1] === TASK && bytes[2] === COMMA;
      return isTask ? decodeTask(bytes, length) : decode(bytes, length);
    },
  };
}

function decode(bytes: Buffer, length: number): KvValue {
  const value = JSON.parse(bytes.toString('utf8', 0, length)) as KvValue;
  return typeof value === 'object' ? unpack(value) : value;
}
