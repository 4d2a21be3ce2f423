import { expect } from 'chai';
import * as fc from 'fast-check';
import type { OpenTransaction } from '../../../../adapters/store-embedded/lmdb/snapshot.ts';
import { TransactionCache } from '../../../../adapters/store-embedded/lmdb/transaction-cache.ts';
import { type KvChange, Overlay } from '../../../../adapters/store-kv/engine/overlay.ts';
import type { Kv, KvEntry, KvRange, KvReader } from '../../../../adapters/store-kv/engine/kv.ts';

const EMPTY: KvReader = {
  get: () => undefined,
  range: () => [],
  chunk: () => ({ entries: [], end: null }),
  count: () => 0,
  hasMore: () => false,
};

function put(kv: Kv, [key, value]: KvChange): void {
  if (value === null) kv.remove(key);
  else kv.put(key, value);
}

function copyOf(kv: Overlay): Overlay {
  const copy = new Overlay(EMPTY);
  for (const change of kv.changes()) put(copy, change);
  return copy;
}

describe('the cache over a transaction', () => {
  it('answers what the transaction would, whatever is written and undone meanwhile, and leaves it the same', () => {
    const key = fc.constantFrom('a', 'b', 'ba', 'bb', 'bc', 'c', 'd');
    const value = fc.constantFrom('x', 'y', 7, 8, null, { of: 'a record' });
    const range = { from: key, to: key, limit: fc.constantFrom(1, 1, 2, 3), reverse: fc.boolean() };
    const step = fc.oneof(
      fc.record({ kind: fc.constant('get' as const), key }),
      fc.record({ kind: fc.constant('write' as const), key, value }),
      fc.record({ kind: fc.constant('range' as const), ...range }),
      fc.record({ kind: fc.constant('count' as const), ...range }),
      fc.record({ kind: fc.constantFrom('nest' as const, 'commit' as const, 'abort' as const) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        /** What the cache writes to, and what it would be if all were written at once. */
        let [transaction, expected] = [new Overlay(EMPTY), new Overlay(EMPTY)];
        let outer: readonly [Overlay, Overlay] | null = null;
        const cache = new TransactionCache({
          get: (each) => transaction.get(each),
          range: (asked, limit, reverse) => transaction.range(asked, limit, reverse),
          chunk: (asked, limit, reverse) => transaction.chunk(asked, limit, reverse),
          count: (asked) => transaction.count(asked),
          hasMore: (asked, than) => transaction.hasMore(asked, than),
          write: (change) => put(transaction, change),
        });
        for (const each of steps) {
          if (each.kind === 'get') {
            expect(cache.get(each.key)).to.deep.equal(expected.get(each.key));
          } else if (each.kind === 'range') {
            const asked = [{ from: each.from, to: each.to }, each.limit, each.reverse] as const;
            expect(cache.range(...asked)).to.deep.equal(expected.range(...asked));
            expect(cache.chunk(...asked)).to.deep.equal(expected.chunk(...asked));
          } else if (each.kind === 'count') {
            if (each.from >= each.to) continue;
            const { limit: than } = each;
            expect(cache.hasMore(each, than)).to.equal(expected.hasMore(each, than));
            expect(cache.count(each)).to.equal(expected.count(each));
          } else if (each.kind === 'write') {
            put(expected, [each.key, each.value]);
            cache.write([each.key, each.value]);
          } else if (each.kind === 'nest') {
            if (outer !== null) continue;
            cache.beginNested();
            outer = [copyOf(transaction), copyOf(expected)];
          } else if (outer !== null) {
            if (each.kind === 'abort') [transaction, expected] = outer;
            outer = null;
            cache.endNested(each.kind === 'abort');
          }
        }
        cache.flush();
        expect(all(transaction)).to.deep.equal(all(expected));
      }),
      { numRuns: 2_000 },
    );
  });

  it('reads each key and each end of a range once', () => {
    const asked: string[] = [];
    const transaction: OpenTransaction = {
      get: (key) => void asked.push(key),
      range: ({ from }) => {
        asked.push(from);
        return [];
      },
      chunk: () => expect.fail('nothing is scanned'),
      count: () => 0,
      hasMore: () => false,
      write: () => undefined,
    };
    const cache = new TransactionCache(transaction);
    for (let i = 0; i < 3; i += 1) {
      cache.get('a');
      cache.range({ from: 'b', to: 'c' }, 1, true);
      cache.write(['bb', 'x']);
      expect(cache.range({ from: 'b', to: 'c' }, 1, true)).to.deep.equal([['bb', 'x']]);
    }
    expect(asked).to.deep.equal(['a', 'b']);
  });

  it('tells ranges apart that begin at the same key', () => {
    const range = ({ from, to }: KvRange): KvEntry[] => [[from, `to ${to}`]];
    const cache = new TransactionCache({ ...EMPTY, range, write: () => undefined });
    for (const to of ['b', 'c', 'aa', 'b']) {
      expect(cache.range({ from: 'a', to }, 1, false)).to.deep.equal([['a', `to ${to}`]]);
    }
  });

  it('writes a counter once, however often it is raised', () => {
    const written: KvChange[] = [];
    const cache = new TransactionCache({ ...EMPTY, write: (change) => void written.push(change) });
    for (let count = 1; count <= 16; count += 1) {
      cache.write(['counter', count]);
      expect(cache.get('counter')).to.equal(count);
    }
    cache.flush();
    cache.flush();
    expect(written).to.deep.equal([['counter', 16]]);
  });
});

function all(kv: Overlay) {
  return kv.range({ from: 'a', to: 'z' }, Infinity, false);
}
