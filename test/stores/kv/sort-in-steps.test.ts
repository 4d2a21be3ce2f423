import { expect } from 'chai';
import * as fc from 'fast-check';
import { sortInSteps } from '../../../adapters/store-kv/engine/sort-in-steps.ts';

const byNumber = (a: number, b: number): number => a - b;

function sorted(items: Iterable<number | undefined>): number[] {
  return [...sortInSteps(items, byNumber)].filter((item) => item !== undefined);
}

/** Numbers in an order of their own. */
function shuffled(count: number): number[] {
  return Array.from({ length: count }, (_, n) => (n * 7_919) % count);
}

const MANY = 20_000;

describe('a sort in steps', () => {
  it('is that of all items at once, steps without one aside', () => {
    const item = fc.option(fc.integer(), { nil: undefined, freq: 10 });
    fc.assert(
      fc.property(fc.array(item, { maxLength: 2_000, size: 'max' }), (items) => {
        const expected = items.filter((one) => one !== undefined).toSorted(byNumber);
        expect(sorted(items)).to.deep.equal(expected);
      }),
      { numRuns: 50 },
    );
  });

  it('begins with the first items without putting the others in order', () => {
    let compared = 0;
    const steps = sortInSteps(shuffled(MANY), (a, b) => {
      compared += 1;
      return byNumber(a, b);
    });
    const first: number[] = [];
    for (const item of steps) {
      if (item !== undefined) first.push(item);
      if (first.length === 10) break;
    }
    expect(first).to.deep.equal([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(compared).to.be.below(MANY * 9);
  });

  it('compares few items in each step', () => {
    let [compared, most] = [0, 0];
    const steps = sortInSteps(shuffled(MANY), (a, b) => {
      compared += 1;
      return byNumber(a, b);
    });
    for (const _ of steps) {
      most = Math.max(most, compared);
      compared = 0;
    }
    expect(most).to.be.below(3_000);
  });
});
