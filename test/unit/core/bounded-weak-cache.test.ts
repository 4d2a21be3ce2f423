import { expect } from 'chai';
import { BoundedWeakCache } from '../../../core/kernel/bounded-weak-cache.ts';

describe('a cache of what is derived from records in use', () => {
  it('never keeps more than its capacity, by number or by size', () => {
    for (const size of [1, 7]) {
      const cache = new BoundedWeakCache<object, number>(20);
      const records = Array.from({ length: 50 }, () => ({}));
      for (const [n, record] of records.entries()) {
        cache.set(record, n, size);
        const kept = records.filter((one) => cache.get(one) !== undefined);
        expect(kept).to.include(record);
        expect(kept.length * size).to.be.at.most(20);
      }
    }
  });
});
