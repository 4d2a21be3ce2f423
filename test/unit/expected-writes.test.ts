import { expect } from 'chai';
import { ExpectedWrites } from '../../adapters/event-loop/expected-writes.ts';

/** Milliseconds: longer than any test takes. */
const LONG = 60_000;

describe('the writes that a group expects', () => {
  it('are as many as in the larger of the last two groups', () => {
    const expected = new ExpectedWrites(LONG);
    expect(expected.mayWait(0)).to.equal(false);
    expected.groupEnded(3);
    expected.groupEnded(1);
    expect([expected.mayWait(2), expected.mayWait(3)]).to.deep.equal([true, false]);
    expected.groupEnded(1);
    expect(expected.mayWait(1)).to.equal(false);
  });

  it('are waited for no longer in a group that has waited in vain', async () => {
    const expected = new ExpectedWrites(0);
    expected.groupEnded(3);
    await expected.next();
    expect(expected.mayWait(1)).to.equal(false);
    expected.groupEnded(1);
    expect(expected.mayWait(1)).to.equal(true);
  });

  it('are read before the wait ends, however long the last ones were being answered', async () => {
    const expected = new ExpectedWrites(1, LONG);
    expected.groupEnded(2);
    const { port1, port2 } = new MessageChannel();
    port1.on('message', () => {
      expected.arrived();
      port1.close();
    });
    const waited = expected.next();
    port2.postMessage('a write');
    const began = performance.now();
    while (performance.now() < began + 5);
    await waited;
    expect(expected.mayWait(1)).to.equal(true);
  });
});
