import { createHash } from 'node:crypto';
import type { Writable } from 'node:stream';
import type { SnapshotItem } from '../../../core/index.ts';
import { EspalierError, snapshotIncomplete } from '../../../core/kernel/errors.ts';
import { checkedLines } from './checked-lines.ts';
import { linesOf, LONGEST_LINE } from './read.ts';
import type { LinesWriter } from './write.ts';

/** Writes the items of a snapshot as JSON Lines; the last line is a checksum of all before. */
export function snapshotTo(out: Writable): LinesWriter<SnapshotItem> {
  const lines = checkedLines(out);
  return { write: (item) => lines.line(item), end: () => lines.last({ kind: 'end' }) };
}

/**
 * The items of a snapshot, as a stream.
 *
 * @throws `snapshot-incomplete` at its end if the last line is missing, or has another checksum
 */
export async function* snapshotFrom(input: AsyncIterable<string | Uint8Array>): AsyncIterableIterator<SnapshotItem> {
  const hash = createHash('sha256');
  for await (const text of linesOf(input, LONGEST_LINE)) {
    const item = itemOf(text);
    if (item.kind === 'end') {
      if (item.sha256 === hash.digest('hex')) return;
      break;
    }
    hash.update(`${text}\n`);
    yield item;
  }
  throw cutOff();
}

type SnapshotLine = SnapshotItem | { readonly kind: 'end'; readonly sha256: string };

function itemOf(text: string): SnapshotLine {
  try {
    return JSON.parse(text) as SnapshotLine;
  } catch (error) {
    throw cutOff(error);
  }
}

/** The error for a snapshot that breaks off before its end. */
export function cutOff(cause?: unknown): EspalierError {
  const { code, detail } = snapshotIncomplete('The snapshot ended before its last line.');
  return new EspalierError(code, detail, [], { cause });
}
