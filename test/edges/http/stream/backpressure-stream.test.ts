import { once } from 'node:events';
import { expect } from 'chai';
import { BYTES_BETWEEN_CHECKS, EventLoopYielder } from '../../../../adapters/event-loop/yielder.ts';
import { backpressureStream } from '../../../../adapters/http/transfer/backpressure-stream.ts';

const PART = 64 * 1024;
const text = 'x'.repeat(PART);

describe('what streams out', () => {
  it('counts what is written to it, so that others run between large records', () => {
    const yielder = new EventLoopYielder({ isOver: () => true, next: async () => {} });
    const { writable } = backpressureStream(60_000);
    writable.write('short\n');
    expect(yielder.step()).to.equal(null);
    writable.write('x'.repeat(BYTES_BETWEEN_CHECKS));
    expect(yielder.step()).not.to.equal(null);
    writable.destroy();
  });

  it('is held up by a reader who takes nothing', async () => {
    const { writable, readable } = backpressureStream(60_000);
    let written = 0;
    let isFull = false;
    while (!isFull && written < 100) {
      isFull = !writable.write(text);
      written += 1;
      await Promise.resolve();
    }
    expect(written).to.be.lessThan(4);
    const reader = readable.getReader();
    const drained = once(writable, 'drain');
    for (let i = 0; i < written; i += 1) expect((await reader.read()).value).to.have.length(PART);
    await drained;
    writable.end('end');
    expect(Buffer.from((await reader.read()).value!).toString()).to.equal('end');
    expect((await reader.read()).done).to.equal(true);
  });

  it('ends with an error when the reader goes away', async () => {
    const { writable, readable } = backpressureStream(60_000);
    writable.write(text);
    writable.write(text);
    const failed = once(writable, 'error');
    await readable.cancel();
    await failed;
    expect(writable.destroyed).to.equal(true);
  });

  it('ends with an error on both sides when the reader stalls', async () => {
    const { writable, readable } = backpressureStream(20);
    const keeps = setInterval(() => {}, 1_000);
    writable.write(text);
    writable.write(text);
    await once(writable, 'error');
    clearInterval(keeps);
    const reader = readable.getReader();
    const failed = await reader.read().then(
      () => false,
      () => true,
    );
    expect(failed).to.equal(true);
  });
});
