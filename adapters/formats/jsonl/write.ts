import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { TransferRecord } from '../../../core/index.ts';

export const FORMAT = 'espalier-workspace';
export const FORMAT_VERSION = 1;

/** Writes the records of one workspace as JSON Lines: a head, a line each, and a checksum of all before it. */
export interface LinesWriter {
  write(record: TransferRecord): Promise<void>;
  /** The last line. Without it a reader takes the file to be cut off. Leaves the stream open. */
  end(): Promise<void>;
}

/** @param out waited for when it is full, so that an export takes no more memory than a chunk */
export function linesTo(out: Writable): LinesWriter {
  const hash = createHash('sha256');
  let records = 0;
  const line = async (value: unknown, isLast = false): Promise<void> => {
    const text = `${JSON.stringify(value)}\n`;
    if (!isLast) hash.update(text);
    // It would never say that it has room again.
    if (out.destroyed) throw out.errored ?? new Error('The stream has been closed.');
    if (!out.write(text)) await once(out, 'drain');
  };
  const head = line({ kind: 'head', format: FORMAT, version: FORMAT_VERSION });
  return {
    async write(record) {
      await head;
      records++;
      await line(record);
    },
    async end() {
      await head;
      await line({ kind: 'end', records, sha256: hash.digest('hex') }, true);
    },
  };
}
