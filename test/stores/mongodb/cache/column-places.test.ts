import { expect } from 'chai';
import {
  addPlaces,
  columnPlaces,
  knownPlaces,
  placesAfterWrite,
  READ_AHEAD,
  type TakenPlace,
} from '../../../../adapters/store-mongodb/task/column-places.ts';
import type { DerivedValues } from '../../../../adapters/store-mongodb/query/documents.ts';
import type { Task } from '../../../../core/model/content/task.ts';
import type { ColumnRange } from '../../../../core/ports/tasks.ts';
import * as fc from 'fast-check';

const STATUSES = ['open', 'done'];
const id = fc.integer({ min: 0, max: 30 }).map(String);
const status = fc.constantFrom(...STATUSES);

/** Reads and changes of columns. @param keys greatest key @param limit of a read */
function stepsWith(keys: number, limit: number) {
  const key = fc.integer({ min: 0, max: keys });
  const range: fc.Arbitrary<ColumnRange> = fc.record(
    { from: key, descending: fc.boolean(), limit: fc.integer({ min: 1, max: limit }) },
    { requiredKeys: ['limit'] },
  );
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('read' as const), status, range }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('put' as const), status, id, key }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove' as const), id }) },
  );
  return fc.array(step, { maxLength: 60 });
}

const LENGTH = 1_000;

describe('what a transaction knows of columns', () => {
  for (const [name, length, steps, numRuns] of [
    ['short', 0, stepsWith(40, 6), 1_000],
    ['long', LENGTH, stepsWith(2 * LENGTH, LENGTH), 200],
  ] as const) {
    it(`is what a query would find, whatever was read and written before in ${name} columns`, () => {
      let answered = 0;
      fc.assert(
        fc.property(steps, (given) => {
          const cache = emptyCache();
          const tasks = new Map<string, Task>();
          for (let i = 0; i < length; i += 1) tasks.set(`first ${i}`, taskAt(`first ${i}`, 'open', 2 * i));
          const found = (statusId: string, { from, descending = false, limit }: ColumnRange): TakenPlace[] =>
            [...tasks.values()]
              .filter((task) => task.statusId === statusId)
              .map((task) => ({ id: task.id, key: task.statusOrderKey }))
              .filter((place) => from === undefined || (descending ? place.key <= from : place.key >= from))
              .toSorted((a, b) => (descending ? b.key - a.key : a.key - b.key))
              .slice(0, limit);
          if (length > 0) addPlaces(cache, 'open', { limit: length + 1 }, found('open', { limit: length + 1 }));
          for (const one of given) {
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
              const task = taskAt(one.id, one.status, one.key);
              const taken = [...tasks.values()].some(
                (other) => other.statusId === one.status && other.statusOrderKey === one.key,
              );
              if (taken) continue;
              placesAfterWrite(cache, tasks.get(one.id) ?? null, task);
              tasks.set(one.id, task);
            }
          }
        }),
        { numRuns },
      );
      expect(answered).to.be.greaterThan(100);
    });
  }

  it('is bounded, and so is what a change copies', () => {
    const cache = emptyCache();
    addPlaces(cache, 'open', { limit: 1 }, []);
    for (let i = 0; i < 20_000; i += 1) placesAfterWrite(cache, null, taskAt(String(i), 'open', i));
    const intervals = columnPlaces(cache).get('open') ?? [];
    expect(Math.max(...intervals.map(({ places }) => places.length))).to.be.at.most(256);
    expect(intervals.reduce((sum, { places }) => sum + places.length, 0)).to.be.at.most(4_000);
    expect(knownPlaces(cache, 'open', { descending: true, limit: 1 })).to.deep.equal([{ id: '19999', key: 19_999 }]);
  });

  it('is bounded where much of a column is read', () => {
    const cache = emptyCache();
    const placesFrom = (from: number) =>
      Array.from({ length: READ_AHEAD }, (_, i) => ({ id: String(from + i), key: from + i }));
    for (let from = 0; from < 100_000; from += 1_000) {
      addPlaces(cache, 'open', { from, limit: READ_AHEAD }, placesFrom(from));
    }
    expect(knownPlaces(cache, 'open', { from: 0, limit: 1 })).to.equal(undefined);
    expect(knownPlaces(cache, 'open', { from: 99_000, limit: 1 })).to.deep.equal([{ id: '99000', key: 99_000 }]);
  });
});

function emptyCache(): DerivedValues {
  const kept = new Map<string, unknown>();
  return { get: (name) => kept.get(name), set: (name, value) => void kept.set(name, value) };
}

function taskAt(id: string, statusId: string, statusOrderKey: number): Task {
  return { id, statusId, statusOrderKey } as Task;
}
