import { expect } from 'chai';
import * as fc from 'fast-check';
import {
  atOnce,
  inSteps,
  forEachStepwise,
  readInSteps,
  sortedStepwise,
  StepwiseCache,
} from '../../../core/kernel/stepwise.ts';
import { NEVER_YIELD, type Yielder } from '../../../core/ports/yielder.ts';
import { GrowingMap, LayeredMap } from '../../../core/tree/layered-map.ts';

const MANY = 10_000;

/** Lets others run at each step, and counts them. */
function countedYielder(): Yielder & { steps: number } {
  const counted = {
    steps: 0,
    step: () => {
      counted.steps += 1;
      return new Promise<void>((resolve) => setImmediate(resolve));
    },
  };
  return counted;
}

describe('work in steps', () => {
  it('has the result that it has at once, and steps that grow with it', async () => {
    const work = (count: number) => forEachStepwise(count, () => undefined);
    const [few, many] = [countedYielder(), countedYielder()];
    await inSteps(work(100), few);
    await inSteps(work(MANY), many);
    expect(many.steps).to.be.above(20 * few.steps);
  });

  it('sorts as a sort at once does, equal items in the order they had', () => {
    const items = fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 3_000, size: 'max' });
    fc.assert(
      fc.property(items, (keys) => {
        const records = keys.map((key, at) => ({ key, at }));
        const compare = (a: { key: number }, b: { key: number }) => a.key - b.key;
        expect(atOnce(sortedStepwise(records, compare))).to.deep.equal(records.toSorted(compare));
      }),
      { numRuns: 100 },
    );
  });

  it('is done once for all that ask meanwhile and afterwards, but not kept when it fails', async () => {
    const cache = new StepwiseCache<object, number[]>();
    const key = {};
    let begun = 0;
    const work = (fails: boolean) =>
      function* (): Generator<void, number[], void> {
        begun += 1;
        yield;
        if (fails) throw new RangeError('not this time');
        return [begun];
      };
    const failed = await Promise.allSettled([
      cache.of(key, work(true), countedYielder()),
      cache.of(key, work(true), countedYielder()),
    ]);
    expect(failed.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
    expect(begun).to.equal(1);
    const yielder = countedYielder();
    const all = await Promise.all([cache.of(key, work(false), yielder), cache.of(key, work(false), yielder)]);
    expect(begun).to.equal(2);
    expect(all[0]).to.equal(all[1]);
    expect(cache.of(key, work(false), NEVER_YIELD)).to.equal(all[0]);
  });
});

describe('reads in steps', () => {
  const items = Array.from({ length: 100 }, (_, n) => n);

  it('are all begun before the first is awaited, while nothing is to pause', async () => {
    let begun = 0;
    const read = async (n: number) => {
      begun += 1;
      await Promise.resolve();
      return [n, begun];
    };
    expect(await readInSteps(items, NEVER_YIELD, read)).to.deep.equal(items.map((n) => [n, items.length]));
  });

  it('let others run where that is due, and have no error that nobody awaits', async () => {
    const yielder = countedYielder();
    const read = async (n: number) => {
      if (n === 50) throw new RangeError('not there');
      return n;
    };
    expect(await readInSteps(items.slice(0, 50), yielder, read)).to.deep.equal(items.slice(0, 50));
    expect(yielder.steps).to.equal(50);
    const failed = await readInSteps(items, yielder, read).catch((error: unknown) => error);
    expect(failed).to.be.instanceOf(RangeError);
    expect(yielder.steps).to.equal(101);
  });
});

describe('a layered map', () => {
  const keyOf = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;

  /** About as many as a map has from which on it is kept in parts. */
  for (const size of [0, 40, 16_372, 18_000]) {
    it(`of ${size} entries holds what a map holds after the same changes, and stays as it was before them`, () => {
      const change = fc.record({
        put: fc.array(fc.tuple(fc.nat(size + 20), fc.nat()), { maxLength: 30 }),
        removed: fc.array(fc.nat(size + 20), { maxLength: 30 }),
      });
      fc.assert(
        fc.property(fc.array(change, { maxLength: 12 }), (changes) => {
          const expected = new Map<string, { n: number }>();
          for (let n = 0; n < size; n += 1) expected.set(keyOf(n), { n });
          const growing = new GrowingMap<{ n: number }>();
          for (const [key, value] of expected) growing.set(key, value);
          const before = LayeredMap.of(growing);
          let map = before;
          for (const { put, removed } of changes) {
            const entries = put.map(([key, n]): [string, { n: number }] => [keyOf(key), { n }]);
            const keys = new Set(removed.map(keyOf).filter((key) => !entries.some(([one]) => one === key)));
            for (const key of keys) expected.delete(key);
            for (const [key, value] of entries) expected.set(key, value);
            map = atOnce(map.with(entries, keys));
          }
          const sorted = (values: Iterable<{ n: number }>) => Array.from(values, ({ n }) => n).sort((a, b) => a - b);
          expect(sorted(map.values())).to.deep.equal(sorted(expected.values()));
          for (let n = 0; n < size + 20; n += 7) expect(map.get(keyOf(n))).to.equal(expected.get(keyOf(n)));
          expect(sorted(before.values())).to.have.length(size);
        }),
        { numRuns: 25 },
      );
    });
  }

  it('under construction holds what a map holds, and no part of it grows large', () => {
    const [growing, expected] = [new GrowingMap<{ n: number }>(), new Map<string, { n: number }>()];
    for (let n = 0; n < 60_000; n += 1) {
      const key = keyOf((n * 7_919) % 50_000);
      if (n % 5 === 0) expect(growing.delete(key)).to.equal(expected.delete(key));
      else {
        expected.set(key, { n });
        growing.set(key, expected.get(key)!);
      }
    }
    expect(growing.size).to.equal(expected.size);
    const inOrder = (entries: Iterable<[string, unknown]>) => [...entries].sort(([a], [b]) => (a < b ? -1 : 1));
    expect(inOrder(growing)).to.deep.equal(inOrder(expected));
    for (const part of growing.parts) expect(part.size).to.be.below(1_000);
    for (const key of [...growing.keys()].slice(0, 100)) expect(growing.get(key)).to.equal(expected.get(key));
  });
});
