import { expect } from 'chai';
import { coreTimesIn, leastBusy } from './cores.ts';

const BEFORE = `cpu  300 0 0 700 0 0 0 0 0 0
cpu0 100 0 0 400 0 0 0 0 0 0
cpu1 200 0 0 300 0 0 0 0 0 0
intr 12
`;
/** Core 0 was idle or waited for the disk for 30 of 100, core 1 for none. */
const AFTER = `cpu  0 0 0 0 0 0 0 0 0 0
cpu0 150 0 10 420 10 0 5 5 0 0
cpu1 260 20 20 300 0 0 0 0 60 0
intr 13
`;

describe('the cores of the machine', () => {
  it('are as busy as the least busy of them', () => {
    expect(leastBusy(coreTimesIn(BEFORE), coreTimesIn(AFTER))).to.be.closeTo(0.7, 1e-9);
  });

  it('are not known to be busy where the system does not tell', () => {
    expect(leastBusy([], [])).to.equal(0);
    expect(leastBusy(coreTimesIn(BEFORE), coreTimesIn(BEFORE))).to.equal(0);
  });
});
