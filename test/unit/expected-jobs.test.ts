import { expect } from 'chai';
import { ExpectedJobs } from '../../adapters/event-loop/expected-jobs.ts';

/** Milliseconds: longer than any test takes. */
const LONG = 60_000;

describe('the jobs that a batch expects', () => {
  it('are as many as in the larger of the last two batches', () => {
    const expected = new ExpectedJobs(LONG);
    expect(expected.mayWait(0)).to.equal(false);
    expected.batchEnded(3);
    expected.batchEnded(1);
    expect([expected.mayWait(2), expected.mayWait(3)]).to.deep.equal([true, false]);
    expected.batchEnded(1);
    expect(expected.mayWait(1)).to.equal(false);
  });

  it('are waited for no longer in a batch that has waited in vain', async () => {
    const expected = new ExpectedJobs(0);
    expected.batchEnded(3);
    await expected.next();
    expect(expected.mayWait(1)).to.equal(false);
    expected.batchEnded(1);
    expect(expected.mayWait(1)).to.equal(true);
  });

  it('are read before the wait ends, however long the last ones were being answered', async () => {
    const expected = new ExpectedJobs(1, LONG);
    expected.batchEnded(2);
    const { port1, port2 } = new MessageChannel();
    port1.on('message', () => {
      expected.arrived();
      port1.close();
    });
    const waited = expected.next();
    port2.postMessage('a job');
    const began = performance.now();
    while (performance.now() < began + 5);
    await waited;
    expect(expected.mayWait(1)).to.equal(true);
  });
});
