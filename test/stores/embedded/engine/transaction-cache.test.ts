import { expect } from 'chai';
import * as fc from 'fast-check';
import { TransactionCache } from '../../../../adapters/store-embedded/lmdb/transaction-cache.ts';
import type { KvChange } from '../../../../adapters/store-kv/engine/overlay.ts';
import { Overlay } from '../../../../adapters/store-kv/engine/overlay.ts';
import type { KvReader } from '../../../../adapters/store-kv/engine/kv.ts';

const EMPTY: KvReader = { get: () => undefined, range: () => [], count: () => 0 };

describe('the cache over a transaction', () => {
  it('answers what the transaction would, whatever is written and undone meanwhile', () => {
    const key = fc.constantFrom('a', 'b', 'ba', 'bb', 'bc', 'c', 'd');
    const value = fc.constantFrom('x', 'y', 7, null, { of: 'a record' });
    const step = fc.oneof(
      fc.record({ kind: fc.constant('get' as const), key }),
      fc.record({ kind: fc.constant('write' as const), key, value }),
      fc.record({ kind: fc.constant('undo' as const) }),
      fc.record({
        kind: fc.constant('range' as const),
        from: key,
        to: key,
        limit: fc.constantFrom(1, 1, 2, 3),
        reverse: fc.boolean(),
      }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let transaction = new Overlay(EMPTY);
        const reader: KvReader = {
          get: (each) => transaction.get(each),
          range: (...range) => transaction.range(...range),
          count: (range) => transaction.count(range),
        };
        const cache = new TransactionCache(reader);
        let kept: readonly KvChange[] = [];
        for (const each of steps) {
          if (each.kind === 'get') {
            expect(cache.get(each.key)).to.deep.equal(transaction.get(each.key));
          } else if (each.kind === 'range') {
            const range = [{ from: each.from, to: each.to }, each.limit, each.reverse] as const;
            expect(cache.range(...range)).to.deep.equal(transaction.range(...range));
          } else if (each.kind === 'write') {
            if (each.value === null) transaction.remove(each.key);
            else transaction.put(each.key, each.value);
            cache.written([each.key, each.value]);
          } else {
            transaction = new Overlay(EMPTY);
            for (const [name, before] of kept) if (before !== null) transaction.put(name, before);
            cache.clear();
          }
          if (each.kind === 'get') kept = transaction.changes();
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('reads each key and each end of a range once', () => {
    const asked: string[] = [];
    const cache = new TransactionCache({
      get: (key) => void asked.push(key),
      range: ({ from }) => {
        asked.push(from);
        return [];
      },
      count: () => 0,
    });
    for (let i = 0; i < 3; i += 1) {
      cache.get('a');
      cache.range({ from: 'b', to: 'c' }, 1, true);
      cache.written(['bb', 'x']);
      expect(cache.range({ from: 'b', to: 'c' }, 1, true)).to.deep.equal([['bb', 'x']]);
    }
    expect(asked).to.deep.equal(['a', 'b']);
  });
});
