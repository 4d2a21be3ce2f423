import { expect } from 'chai';
import { inRounds } from './compare.ts';
import { growthOfLows, median, medians, quantile, meets } from './figures.ts';

describe('figures of the bench', () => {
  it('take the middle value, whatever the order', () => {
    expect(median([9, 1, 5])).to.equal(5);
    expect(median([10, 9, 1, 5])).to.equal(7);
    expect(median([100, 20, 3])).to.equal(20);
  });

  it('leave what they are given as it was', () => {
    const values = [3, 1, 2];
    median(values);
    expect(values).to.deep.equal([3, 1, 2]);
  });

  it('take quantiles between two values in proportion', () => {
    expect(quantile([0, 10, 20, 30, 40], 0.99)).to.be.closeTo(39.6, 1e-9);
    expect(quantile([5], 0.99)).to.equal(5);
  });

  it('are refused where nothing, or no number, was measured', () => {
    expect(() => median([])).to.throw(RangeError);
    expect(() => median([1, Number.NaN])).to.throw(RangeError);
    expect(() => median([1, Infinity])).to.throw(RangeError);
    expect(() => medians([])).to.throw(RangeError);
  });

  it('take the median of each field by itself', () => {
    const rounds = [
      { perSecond: 1, cpu: 30 },
      { perSecond: 2, cpu: 20 },
      { perSecond: 9, cpu: 10 },
    ];
    expect(medians(rounds)).to.deep.equal({ perSecond: 2, cpu: 20 });
  });

  it('meet a target when they are on it, and never when they are no number', () => {
    expect(meets(0.5, { atLeast: 0.5 })).to.equal(true);
    expect(meets(0.499, { atLeast: 0.5 })).to.equal(false);
    expect(meets(1.5, { atMost: 1.5 })).to.equal(true);
    expect(meets(1.501, { atMost: 1.5 })).to.equal(false);
    expect(meets(Number.NaN, { atMost: 1.5 })).to.equal(false);
  });

  it('leave warming up out of growth', () => {
    expect(growthOfLows([10, 50, 100, 100, 100, 100])).to.equal(0);
    expect(growthOfLows([100, 100, 100, 100, 110, 110])).to.be.closeTo(0.1, 1e-9);
    expect(growthOfLows([1, 1, 100, 100, 90, 90])).to.be.closeTo(-0.1, 1e-9);
  });

  it('see what stays, not what is emptied again', () => {
    const sawtooth = (low: (at: number) => number) => Array.from({ length: 30 }, (_, at) => low(at) + (at % 5) * 4);
    expect(growthOfLows(sawtooth(() => 100))).to.equal(0);
    expect(growthOfLows(sawtooth((at) => 100 + at))).to.be.closeTo(10 / 110, 1e-9);
  });

  it('need three values at least for growth', () => {
    expect(() => growthOfLows([1, 2])).to.throw(RangeError);
  });
});

describe('rounds of the bench', () => {
  it('take turns, the other way about each time, and drop the one that warms up', async () => {
    const order: string[] = [];
    const side = (name: string, values: readonly number[]) => {
      let at = 0;
      return {
        name,
        async measure() {
          order.push(name);
          return { value: values[at++]! };
        },
      };
    };
    const found = await inRounds(3, [side('a', [1_000, 1, 2, 3]), side('b', [9_000, 40, 60, 50])]);
    expect(found).to.deep.equal([{ value: 2 }, { value: 50 }]);
    expect(order.join('')).to.equal('abbaabba');
  });

  it('make one round count when there is only one', async () => {
    expect(await inRounds(1, [{ name: 'a', measure: async () => ({ value: 7 }) }])).to.deep.equal([{ value: 7 }]);
  });
});
