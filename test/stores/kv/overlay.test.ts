import { expect } from 'chai';
import * as fc from 'fast-check';
import { Overlay } from '../../../adapters/store-kv/engine/overlay.ts';
import { TreeSnapshot } from '../../../adapters/store-memory/tree.ts';

const key = fc.constantFrom('a', 'b', 'ba', 'bb', 'c', 'd');
const value = fc.integer({ min: 0, max: 9 });
const change = fc.oneof(
  fc.record({ key, value: fc.option(value, { freq: 2 }) }),
  // Read between the changes too.
  fc.record({ from: key, to: key, limit: fc.constantFrom(0, 1, 2, 3, Infinity), reverse: fc.boolean() }),
);

describe('an overlay', () => {
  it('reads as if its changes had been made, and makes them when told', () => {
    fc.assert(
      fc.property(fc.dictionary(key, value), fc.array(change, { maxLength: 20 }), (stored, steps) => {
        const [below, made] = [new TreeSnapshot().draft(), new TreeSnapshot().draft()];
        for (const kv of [below, made]) for (const [name, number] of Object.entries(stored)) kv.put(name, number);
        const overlay = new Overlay(below);
        for (const step of steps) {
          if ('key' in step) {
            for (const kv of [made, overlay]) {
              if (step.value === null) kv.remove(step.key);
              else kv.put(step.key, step.value);
            }
            expect(overlay.get(step.key)).to.equal(made.get(step.key));
            continue;
          }
          const { from, to, limit, reverse } = step;
          if (from >= to) continue;
          expect(overlay.range({ from, to }, limit, reverse)).to.deep.equal(made.range({ from, to }, limit, reverse));
          expect(overlay.count({ from, to })).to.equal(made.count({ from, to }));
        }
        const all = { from: '\0', to: '\xff' };
        expect(below.range(all, Infinity, false)).to.deep.equal(
          Object.entries(stored).sort(([a], [b]) => (a < b ? -1 : 1)),
        );
        for (const [name, put] of overlay.changes()) {
          if (put === null) below.remove(name);
          else below.put(name, put);
        }
        expect(below.range(all, Infinity, false)).to.deep.equal(made.range(all, Infinity, false));
      }),
      { numRuns: 2000 },
    );
  });
});
