import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { TransferRecord } from '../../../core/index.ts';
import { lineOf } from './record.ts';

export const FORMAT = 'espalier-workspace';
export const FORMAT_VERSION = 1;

/** JSON allows them as they are; a terminal that shows an export would obey them. */
const CONTROLS = /[\u007F-\u009F]/g;

/** Writes the records of one workspace as JSON Lines: a head, one line per record, and a checksum of all lines before. */
export interface LinesWriter {
  write(record: TransferRecord): Promise<void>;
  /** Writes the last line, without which a reader treats the file as truncated. Leaves the stream open. */
  end(): Promise<void>;
}

/** @param out awaited when its buffer is full, so that an export needs no more memory than a chunk */
export function linesTo(out: Writable): LinesWriter {
  const hash = createHash('sha256');
  let records = 0;
  const line = async (value: unknown, isLast = false): Promise<void> => {
    const text = `${JSON.stringify(value).replace(CONTROLS, escaped)}\n`;
    if (!isLast) hash.update(text);
    // A destroyed stream never emits 'drain'.
    if (out.destroyed) throw out.errored ?? new Error('The stream has been closed.');
    if (!out.write(text)) await once(out, 'drain');
  };
  const head = line({ kind: 'head', format: FORMAT, version: FORMAT_VERSION });
  return {
    async write(record) {
      await head;
      records++;
      await line(lineOf(record));
    },
    async end() {
      await head;
      await line({ kind: 'end', records, sha256: hash.digest('hex') }, true);
    },
  };
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
