import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { Writable } from 'node:stream';

/** Control characters that JSON allows unescaped; a terminal would interpret them. */
const CONTROLS = /[\u007F-\u009F]/g;

/** Writes values as JSON Lines; the last has a checksum of all lines before it. */
export interface CheckedLines {
  line(value: object): Promise<void>;
  /** Writes the last line, without which a reader treats the file as truncated. Leaves the stream open. */
  last(value: object): Promise<void>;
}

/** @param out awaited when its buffer is full, so that no more memory is needed than a chunk */
export function checkedLines(out: Writable): CheckedLines {
  const hash = createHash('sha256');
  const textOf = (value: object) => `${JSON.stringify(value).replace(CONTROLS, escaped)}\n`;
  const write = async (text: string): Promise<void> => {
    // A destroyed stream never emits 'drain'.
    if (out.destroyed) throw out.errored ?? new Error('The stream has been closed.');
    if (!out.write(text)) await once(out, 'drain');
  };
  return {
    line(value) {
      const text = textOf(value);
      hash.update(text);
      return write(text);
    },
    last: (value) => write(textOf({ ...value, sha256: hash.digest('hex') })),
  };
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
