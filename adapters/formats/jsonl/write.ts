import type { Writable } from 'node:stream';
import type { TransferRecord } from '../../../core/index.ts';
import { checkedLines } from './checked-lines.ts';
import { lineOf } from '../../schemas/transfer-record.ts';

export const FORMAT = 'espalier-workspace';
export const FORMAT_VERSION = 1;

/** Writes the records of one workspace as JSON Lines: a head, one line per record, and a checksum of all lines before. */
export interface LinesWriter<T = TransferRecord> {
  write(record: T): Promise<void>;
  /** Writes the last line, without which a reader treats the file as truncated. Leaves the stream open. */
  end(): Promise<void>;
}

/** @param out awaited when its buffer is full, so that an export needs no more memory than a chunk */
export function linesTo(out: Writable): LinesWriter {
  const lines = checkedLines(out);
  let records = 0;
  const head = lines.line({ kind: 'head', format: FORMAT, version: FORMAT_VERSION });
  return {
    async write(record) {
      await head;
      records++;
      await lines.line(lineOf(record));
    },
    async end() {
      await head;
      await lines.last({ kind: 'end', records });
    },
  };
}
