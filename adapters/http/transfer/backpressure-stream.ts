import { Writable } from 'node:stream';
import { countBytes } from '../../event-loop/counted-bytes.ts';

/** A pipe with backpressure: writes wait for the reader. */
export interface BackpressureStream {
  readonly writable: Writable;
  readonly readable: ReadableStream<Uint8Array>;
}

/** The reader has left, or has stalled. */
export class ReaderLost extends Error {
  override readonly name = 'ReaderLost';
}

const PART = 64 * 1024;

/**
 * Buffers one chunk at most. Written text counts as work of the writer, which is expected to yield after each write if
 * its time is over. If the reader leaves, or reads nothing for this many milliseconds, the writing side is destroyed.
 */
export function backpressureStream(stallTimeout: number): BackpressureStream {
  let texts: string[] = [];
  let size = 0;
  let goOn: (() => void) | undefined;
  let stalled: NodeJS.Timeout | undefined;
  let controller!: ReadableStreamDefaultController<Uint8Array>;

  const taken = () => {
    clearTimeout(stalled);
    const act = goOn;
    goOn = undefined;
    act?.();
  };
  const give = (then: () => void) => {
    if (size > 0) controller.enqueue(Buffer.from(texts.join('')));
    texts = [];
    size = 0;
    if ((controller.desiredSize ?? 0) > 0) {
      then();
      return;
    }
    goOn = then;
    stalled = setTimeout(() => writable.destroy(new ReaderLost('The reader has stalled.')), stallTimeout).unref();
  };

  const writable: Writable = new Writable({
    decodeStrings: false,
    highWaterMark: PART,
    write(text: string, _encoding, done) {
      texts.push(text);
      size += text.length;
      // The text was built from records in memory, and is about to be encoded.
      countBytes(text.length);
      if (size < PART) done();
      else give(() => done());
    },
    final(done) {
      give(() => {
        controller.close();
        done();
      });
    },
    destroy(error, done) {
      clearTimeout(stalled);
      if (error !== null) controller.error(error);
      done(error);
    },
  });
  // The error reaches the writer through its awaited write.
  writable.on('error', () => {});
  const readable = new ReadableStream<Uint8Array>({
    start(given) {
      controller = given;
    },
    pull: taken,
    cancel() {
      writable.destroy(new ReaderLost('The reader has gone.'));
    },
  });
  return { writable, readable };
}
