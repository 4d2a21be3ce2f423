import { expect } from 'chai';
import { NumberSet } from '../../../adapters/store-kv/engine/number-set.ts';
import { Random } from '../../contract/random.ts';

describe('a set of numbers', () => {
  it('takes each number once, near to others and far from them', () => {
    const random = new Random(1);
    const [numbers, known] = [new NumberSet(), new Set<number>()];
    for (let n = 0; n < 20_000; n += 1) {
      const value = random.pick([0, 2 ** 31, 2 ** 53 - 2_000]) + random.below(random.pick([40, 1_500]));
      expect(numbers.add(value)).to.equal(!known.has(value));
      known.add(value);
    }
  });
});
