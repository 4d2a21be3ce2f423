import { Writable } from 'node:stream';
import type { TransferRecord } from '../../core/model/transfer-record.ts';
import { LONGEST_TIMER } from '../../core/ports/timers.ts';
import { linesTo } from '../formats/jsonl/index.ts';
import type { StallTimeout } from './stall-timeout.ts';

const PART = 64 * 1024;

/**
 * The stall timeout of an import, as a multiple of that of other data: for its next part to be read, and for its
 * answer. The system buffers some megabytes: over a slow line it takes long until there is room for more, and after the
 * last part the service still has to write what it was sent.
 */
const UPLOAD_TIMES = 10;

/** The records as lines, serialised as they are sent. @param timeout of other data, in milliseconds */
export function lineUpload(records: AsyncIterable<TransferRecord>, idle: StallTimeout, timeout: number) {
  const limit = Math.min(UPLOAD_TIMES * timeout, LONGEST_TIMER);
  let begun = false;
  let failure: unknown;
  async function* parts(): AsyncIterableIterator<Uint8Array> {
    begun = true;
    let texts: string[] = [];
    let size = 0;
    const out = new Writable({
      decodeStrings: false,
      write(text: string, _encoding, done) {
        texts.push(text);
        size += text.length;
        done();
      },
    });
    const taken = () => {
      idle.moved(limit);
      const part = Buffer.from(texts.join(''));
      texts = [];
      size = 0;
      return part;
    };
    const lines = linesTo(out);
    // The stall timeout is paused while the records are made.
    idle.pause();
    try {
      for await (const record of records) {
        await lines.write(record);
        if (size < PART) continue;
        yield taken();
        idle.pause();
      }
    } catch (error) {
      failure = error;
      throw error;
    }
    await lines.end();
    yield taken();
  }
  return { body: () => ReadableStream.from(parts()), begun: () => begun, failure: () => failure };
}
