import { Writable } from 'node:stream';

/** What is written on one side is read on the other, at the pace of the reader. */
export interface Outflow {
  readonly writable: Writable;
  readonly readable: ReadableStream<Uint8Array>;
}

const PART = 64 * 1024;

/**
 * Holds no more than a part in memory. A reader that goes away, or takes nothing for so many
 * milliseconds, destroys the side that is written to.
 */
export function outflow(stallTimeout: number): Outflow {
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
    stalled = setTimeout(() => writable.destroy(new Error('The reader has stalled.')), stallTimeout).unref();
  };

  const writable: Writable = new Writable({
    decodeStrings: false,
    highWaterMark: PART,
    write(text: string, _encoding, done) {
      texts.push(text);
      size += text.length;
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
  // Whoever writes gets to hear of it from what they wait for.
  writable.on('error', () => {});
  const readable = new ReadableStream<Uint8Array>({
    start(given) {
      controller = given;
    },
    pull: taken,
    cancel() {
      writable.destroy(new Error('The reader has gone.'));
    },
  });
  return { writable, readable };
}
