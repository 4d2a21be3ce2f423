import assert from 'node:assert/strict';
import {
  COLLECTION_NAMES,
  type CollectionName,
  type CollectionSpec,
  specOf,
  uniqueFields,
} from '../../core/model/collections.ts';
import type { AnyCollection } from '../../core/ports/collection.ts';
import type { Store } from '../../core/ports/store.ts';
import { onStore } from './opened.ts';
import {
  auditRecord,
  board,
  change,
  checklistItem,
  comment,
  identity,
  invitation,
  newId,
  purge,
  removedName,
  task,
  token,
  trashItem,
  user,
} from './records.ts';
import { rejected } from './rejected.ts';
import type { StoreTarget } from './target.ts';
import {
  type Fields,
  type Stored,
  recordsFor,
  elsewhere,
  afterOf,
  picked,
  inOrder,
  byId,
  changeOf,
} from './collection-records.ts';

type Made = (fields: Fields) => object;

/** Workspaces are written with their structure, and tested with it. */
const MADE: Readonly<Record<Exclude<CollectionName, 'workspaces'>, Made>> = {
  users: (fields) => user(fields),
  tokens: (fields) => token(newId(), fields),
  identities: (fields) => identity(newId(), fields),
  invitations: (fields) => invitation(newId(), fields),
  boards: (fields) => board(newId(), fields),
  checklistItems: (fields) => checklistItem(task(board(newId()), 1), fields),
  comments: (fields) => comment(task(board(newId()), 1), fields),
  trash: (fields) => trashItem(newId(), fields),
  removedNames: (fields) => removedName(newId(), fields),
  jobs: (fields) => purge(newId(), fields),
  changes: (fields) => change(newId(), fields),
  audit: (fields) => auditRecord(newId(), fields),
  revocations: (fields) => ({ id: newId(), count: 1, ...fields }),
  logAges: (fields) => ({ id: newId(), oldestAt: '2026-01-01T00:00:00.000Z', ...fields }),
};

/** What a collection is tested through. */
export interface CollectionAccess {
  readonly read: <T>(work: (collection: AnyCollection<Stored>) => Promise<T>) => Promise<T>;
  readonly write: <T>(work: (collection: AnyCollection<Stored>) => Promise<T>) => Promise<T>;
}

/** A test with access to a collection that holds nothing. */
export type WithCollection = (test: (access: CollectionAccess) => Promise<void>) => () => Promise<void>;

/** Every collection does what its declaration says: the tests are made from that. */
export function collectionContract(target: StoreTarget): void {
  for (const name of COLLECTION_NAMES) {
    if (name === 'workspaces') continue;
    const of = (tx: unknown) => (tx as Readonly<Record<string, AnyCollection<Stored>>>)[name]!;
    const accessTo = (store: Store): CollectionAccess => ({
      read: (work) => store.read((tx) => work(of(tx))),
      write: (work) => store.write((tx) => work(of(tx))),
    });
    const withCollection: WithCollection = (test) => onStore(target, (store) => test(accessTo(store)));
    describe(name, () => collectionCases(specOf(name), MADE[name], withCollection));
  }

  it(
    'a record without a value to group it by is in no list of that index, until it has one',
    onStore(target, async (store) => {
      const on = task(board(newId()), 1);
      const { workspaceId } = on;
      const [item, memberId] = [checklistItem(on, { assigneeId: null }), newId()];
      const listed = (assigneeId: string | null) =>
        store.read((tx) => tx.checklistItems.list('ofAssignee', { workspaceId, assigneeId }, { limit: 9 }));
      await store.write((tx) => tx.checklistItems.insert(item));
      assert.deepEqual(await listed(memberId), []);
      await store.write((tx) => tx.checklistItems.replace({ ...item, assigneeId: memberId }));
      assert.deepEqual(await listed(memberId), [{ ...item, assigneeId: memberId }]);
      await store.write((tx) => tx.checklistItems.replace(item));
      assert.deepEqual(await listed(memberId), []);
    }),
  );
}

/** @param made a record with these fields, and others that no other record has */
export function collectionCases(spec: CollectionSpec, made: Made, withCollection: WithCollection): void {
  const one = (fields: Fields = {}) => made({ id: newId(), ...fields }) as Stored;
  const inWorkspace = spec.of === 'workspace';
  const scopeOf = (record: Stored) => (inWorkspace && spec.globalIds !== true ? [record['workspaceId'] as string] : []);

  if (spec.keyedBy === undefined) {
    it(
      'are found by id, where they belong',
      withCollection(async ({ read, write }) => {
        const [first, second] = [one(), one()];
        await write(async (collection) => {
          for (const record of [first, second]) await collection.insert(record);
          assert.deepEqual(await collection.get(...scopeOf(first), first.id), first);
        });
        await read(async (collection) => {
          assert.deepEqual(await collection.get(...scopeOf(first), first.id), first);
          assert.equal(await collection.get(...scopeOf(first), newId()), null);
          assert.equal(await collection.get(...scopeOf(first), ''), null);
          if (scopeOf(first).length > 0) assert.equal(await collection.get(newId(), first.id), null);
          const found = await collection.many(...scopeOf(first), [newId(), first.id, first.id]);
          assert.deepEqual([...found], [[first.id, first]]);
        });
      }),
    );
  }

  for (const [name, unique] of Object.entries(spec.unique ?? {})) {
    const fields = uniqueFields(name, unique);
    const scope = inWorkspace ? ['workspaceId'] : [];
    const valuesOf = (record: Stored) => picked(record, [...scope, ...fields]);
    it(
      `have one ${name} each`,
      withCollection(async ({ read, write }) => {
        const values = Object.fromEntries(fields.map((field) => [field, `Ä value of ${field}`]));
        const first = one(values);
        const second = one({ ...valuesOf(first), [fields[0]!]: 'another' });
        const same = one(valuesOf(first));
        await write(async (collection) => {
          assert.equal(await collection.by(valuesOf(first)), null);
          await collection.insert(first);
          assert.deepEqual(await collection.by(valuesOf(first)), first);
        });
        await rejected(
          unique.code,
          write((collection) => collection.insert(same)),
        );
        await read(async (collection) => {
          assert.deepEqual(await collection.by(valuesOf(first)), first);
          assert.equal(await collection.by({ ...valuesOf(first), [fields.at(-1)!]: 'nothing' }), null);
          if (inWorkspace) assert.equal(await collection.by({ ...valuesOf(first), workspaceId: newId() }), null);
        });
        if (spec.immutable === true) return;
        await write((collection) => collection.insert(second));
        await rejected(
          unique.code,
          write((collection) => collection.replace({ ...second, ...valuesOf(first) })),
        );
        await write(async (collection) => {
          await collection.replace({ ...first, [fields[0]!]: 'given free' });
          await collection.replace({ ...second, ...valuesOf(first) });
        });
        await read(async (collection) => {
          assert.equal((await collection.by(valuesOf(first)))?.id, second.id);
          assert.equal((await collection.by({ ...valuesOf(first), [fields[0]!]: 'given free' }))?.id, first.id);
          assert.equal(await collection.by(valuesOf(second)), null);
        });
        await write(async (collection) => {
          await collection.remove({ ...second, ...valuesOf(first) });
          await collection.insert(same);
        });
        assert.equal((await read((collection) => collection.by(valuesOf(first))))?.id, same.id);
        if (unique.optional !== true) return;
        const none = { ...valuesOf(first), [fields[0]!]: null };
        await write(async (collection) => {
          for (const record of [one(none), one(none)]) await collection.insert(record);
        });
      }),
    );
  }

  for (const [name, index] of Object.entries(spec.index ?? {})) {
    it(
      `are listed and counted by ${name}`,
      withCollection(async ({ read, write }) => {
        const { listed, others, values } = recordsFor(spec, index, one);
        await write(async (collection) => {
          for (const record of [...others, ...listed]) await collection.insert(record);
          assert.equal((await collection.list(name, values, { limit: 99 })).length, listed.length);
        });
        await read(async (collection) => {
          const list = (part: object) => collection.list(name, values, { limit: 99, ...part });
          const all = await list({});
          if (index.order === undefined) assert.deepEqual(byId(all), byId(listed));
          else {
            assert.deepEqual(all, inOrder(listed, index));
            assert.deepEqual(await list({ descending: true }), all.toReversed());
            assert.deepEqual(
              await list({ descending: true, after: afterOf(all[4]!, index), limit: 3 }),
              [3, 2, 1].map((i) => all[i]),
            );
          }
          const parts: Stored[] = [];
          for (let after: unknown = null; ; after = afterOf(parts.at(-1)!, index)) {
            const part = await list({ after, limit: 2 });
            parts.push(...part);
            if (part.length < 2) break;
          }
          assert.deepEqual(parts, all);
          const count = (part: object) => collection.count(name, values, { limit: 99, ...part });
          const [after] = [afterOf(all[4]!, index)];
          assert.deepEqual([await count({}), await count({ limit: 2 }), await count({ after })], [7, 2, 2]);
          assert.deepEqual(
            await collection.list(name, elsewhere(values), { limit: 9 }),
            index.by || (inWorkspace && !index.everywhere) ? [] : all,
          );
          assert.deepEqual(await list({ limit: 0 }), []);
        });
        if (spec.immutable === true) return;
        const [gone, kept, changed] = listed as [Stored, Stored, Stored];
        await write(async (collection) => {
          await collection.remove(gone);
          await collection.replace({ ...changed, ...changeOf(index) });
        });
        const left = new Set(
          (await read((collection) => collection.list(name, values, { limit: 99 }))).map(({ id }) => id),
        );
        assert.deepEqual(
          [left.has(gone.id), left.has(kept.id), left.has(changed.id)],
          [false, true, index.where === undefined],
        );
      }),
    );
  }

  if (spec.immutable === true) {
    it(
      'are added, never changed or removed',
      withCollection(async ({ read, write }) => {
        const record = one();
        await write((collection) => collection.insert(record));
        const before = await everything(spec, read, [record]);
        for (const change of ['replace', 'remove'] as const) {
          await assert.rejects(
            write((collection) => collection[change](record)),
            TypeError,
          );
        }
        assert.deepEqual(await everything(spec, read, [record]), before);
      }),
    );
  }

  it(
    'leave no trace of a write that fails',
    withCollection(async ({ read, write }) => {
      const [kept, removed, added] = [one(), one(), one()];
      const mutable = spec.immutable !== true;
      await write(async (collection) => {
        for (const record of [kept, removed]) await collection.insert(record);
      });
      const before = await everything(spec, read, [kept, removed, added]);
      await assert.rejects(
        write(async (collection) => {
          await collection.insert(added);
          if (mutable) await collection.remove(removed);
          if (mutable) await collection.replace({ ...kept, version: 7 });
          throw new RangeError('after all');
        }),
        RangeError,
      );
      assert.deepEqual(await everything(spec, read, [kept, removed, added]), before);
    }),
  );
}

/** What is found of these records, in every way there is. */
async function everything(spec: CollectionSpec, read: CollectionAccess['read'], records: readonly Stored[]) {
  return read(async (collection) => {
    const found: unknown[] = [];
    for (const record of records) {
      for (const [name, unique] of Object.entries(spec.unique ?? {})) {
        const fields = uniqueFields(name, unique).filter((field) => record[field] !== null);
        if (fields.length > 0) found.push(await collection.by(picked(record, [...fields, 'workspaceId'])));
      }
      for (const [name, { by = [], everywhere }] of Object.entries(spec.index ?? {})) {
        const scope = everywhere === true ? [] : ['workspaceId'];
        found.push(await collection.list(name, picked(record, [...scope, ...by]), { limit: 9 }));
      }
    }
    return found;
  });
}
