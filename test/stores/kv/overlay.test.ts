import { expect } from 'chai';
import * as fc from 'fast-check';
import { type Kv, type KvReader, chunkOf, scan } from '../../../adapters/store-kv/engine/kv.ts';
import { type KvChange, Overlay } from '../../../adapters/store-kv/engine/overlay.ts';
import { type TreeDraft, TreeSnapshot } from '../../../adapters/store-memory/tree.ts';

const key = fc.constantFrom('a', 'b', 'ba', 'bb', 'c', 'd');
const value = fc.integer({ min: 0, max: 9 });
const change = fc.oneof(
  fc.record({ key, value: fc.option(value, { freq: 2 }) }),
  fc.constant('take' as const),
  // Read between the changes too.
  fc.record({ from: key, to: key, limit: fc.constantFrom(0, 1, 2, 3, Infinity), reverse: fc.boolean() }),
);

/** The most entries of a chunk. */
const most = fc.constantFrom(1, 2, 3);

describe('an overlay', () => {
  it('reads as if its changes had been made, and makes them when told, all or the oldest', () => {
    fc.assert(
      fc.property(fc.dictionary(key, value), fc.array(change, { maxLength: 20 }), most, (stored, steps, atOnce) => {
        const [below, made, expected] = [0, 1, 2].map(() => new TreeSnapshot().draft()) as [
          TreeDraft,
          TreeDraft,
          TreeDraft,
        ];
        for (const kv of [below, made, expected])
          for (const [name, number] of Object.entries(stored)) kv.put(name, number);
        const overlay = new Overlay(endingEarly(below, atOnce));
        for (const step of steps) {
          if (step === 'take') {
            const taken = overlay.takeOldest();
            for (const kv of taken === undefined ? [] : [below, expected]) make(kv, taken!);
            continue;
          }
          if ('key' in step) {
            for (const kv of [made, overlay]) make(kv, [step.key, step.value]);
            expect(overlay.get(step.key)).to.equal(made.get(step.key));
            continue;
          }
          const { from, to, limit, reverse } = step;
          if (from >= to) continue;
          expect(overlay.range({ from, to }, limit, reverse)).to.deep.equal(made.range({ from, to }, limit, reverse));
          const all = made.range({ from, to }, Infinity, reverse);
          expect([...scan(overlay, { from, to }, reverse, 2)]).to.deep.equal(all);
          expect(overlay.count({ from, to })).to.equal(made.count({ from, to }));
          for (const kv of [overlay, made]) {
            const more = [0, 1, 2, 3].filter((than) => kv.hasMore({ from, to }, than));
            expect(more).to.have.length(Math.min(4, all.length));
          }
        }
        const all = { from: '\0', to: '\xff' };
        expect(below.range(all, Infinity, false)).to.deep.equal(expected.range(all, Infinity, false));
        for (const each of overlay.changes()) make(below, each);
        expect(below.range(all, Infinity, false)).to.deep.equal(made.range(all, Infinity, false));
      }),
      { numRuns: 2000 },
    );
  });
});

/** As if so many entries were as large as a chunk may be. */
function endingEarly(kv: KvReader, most: number): KvReader {
  const chunk: KvReader['chunk'] = (range, limit, reverse) => {
    const atOnce = Math.min(limit, most);
    return chunkOf(kv.range(range, atOnce, reverse), atOnce);
  };
  return {
    get: (key) => kv.get(key),
    range: (...asked) => kv.range(...asked),
    chunk,
    count: (range) => kv.count(range),
    hasMore: (range, than) => kv.hasMore(range, than),
  };
}

function make(kv: Kv, [key, value]: KvChange): void {
  if (value === null) kv.remove(key);
  else kv.put(key, value);
}
