import { expect } from 'chai';
import {
  addPlaces,
  knownPlaces,
  placesAfterWrite,
  READ_AHEAD,
  type TakenPlace,
} from '../../../../adapters/store-mongodb/task/column-places.ts';
import type { TransactionCache } from '../../../../adapters/store-mongodb/query/documents.ts';
import type { Task } from '../../../../core/model/content/task.ts';
import type { ColumnRange } from '../../../../core/ports/store.ts';
import * as fc from 'fast-check';

const STATUSES = ['open', 'done'];
const key = fc.integer({ min: 0, max: 40 });
const status = fc.constantFrom(...STATUSES);
const id = fc.integer({ min: 0, max: 30 }).map(String);
const range: fc.Arbitrary<ColumnRange> = fc.record(
  { from: key, descending: fc.boolean(), limit: fc.integer({ min: 1, max: 6 }) },
  { requiredKeys: ['limit'] },
);
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('read' as const), status, range }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('put' as const), status, id, key }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), id }) },
);

describe('what a transaction knows of columns', () => {
  it('is what a query would find, whatever was read and written before', () => {
    let answered = 0;
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const kept = new Map<string, unknown>();
        const cache: TransactionCache = {
          get: (name) => kept.get(name),
          set: (name, value) => void kept.set(name, value),
        };
        const tasks = new Map<string, Task>();
        const found = (statusId: string, { from, descending = false, limit }: ColumnRange): TakenPlace[] =>
          [...tasks.values()]
            .filter((task) => task.statusId === statusId)
            .map((task) => ({ id: task.id, key: task.statusOrderKey }))
            .filter((place) => from === undefined || (descending ? place.key <= from : place.key >= from))
            .toSorted((a, b) => (descending ? b.key - a.key : a.key - b.key))
            .slice(0, limit);
        for (const one of steps) {
          if (one.kind === 'read') {
            const known = knownPlaces(cache, one.status, one.range);
            if (known === undefined) addPlaces(cache, one.status, one.range, found(one.status, one.range));
            else {
              answered += 1;
              expect(known).to.deep.equal(found(one.status, one.range));
            }
          } else if (one.kind === 'remove') {
            placesAfterWrite(cache, tasks.get(one.id) ?? null, null);
            tasks.delete(one.id);
          } else {
            const task = { id: one.id, statusId: one.status, statusOrderKey: one.key } as Task;
            const taken = [...tasks.values()].some(
              (other) => other.statusId === one.status && other.statusOrderKey === one.key,
            );
            if (taken) continue;
            placesAfterWrite(cache, tasks.get(one.id) ?? null, task);
            tasks.set(one.id, task);
          }
        }
      }),
      { numRuns: 1_000 },
    );
    expect(answered).to.be.greaterThan(100);
  });

  it('is bounded', () => {
    const kept = new Map<string, unknown>();
    const cache: TransactionCache = { get: (name) => kept.get(name), set: (name, value) => void kept.set(name, value) };
    const placesFrom = (from: number) =>
      Array.from({ length: READ_AHEAD }, (_, i) => ({ id: String(from + i), key: from + i }));
    for (let from = 0; from < 100_000; from += 1_000) {
      addPlaces(cache, 'open', { from, limit: READ_AHEAD }, placesFrom(from));
    }
    expect(knownPlaces(cache, 'open', { from: 0, limit: 1 })).to.equal(undefined);
    expect(knownPlaces(cache, 'open', { from: 99_000, limit: 1 })).to.deep.equal([{ id: '99000', key: 99_000 }]);
  });
});
