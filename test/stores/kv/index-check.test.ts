import { expect } from 'chai';
import { INTEGER } from '../../../adapters/store-kv/engine/key.ts';
import { PREFIX } from '../../../adapters/store-kv/engine/key-prefixes.ts';
import { type Kv, type KvEntry, type KvRange, prefixRange, readOnly } from '../../../adapters/store-kv/engine/kv.ts';
import { StructureCache } from '../../../adapters/store-kv/structure/structure-cache.ts';
import { WorkspaceKeys } from '../../../adapters/store-kv/structure/workspace-keys.ts';
import { indexedKinds, kvTransaction } from '../../../adapters/store-kv/transaction.ts';
import { CommittedTree } from '../../../adapters/store-memory/committed-tree.ts';
import type { IndexFault, Store, Transaction } from '../../../core/ports/store.ts';
import { identity, newId, trashItem, user } from '../../contract/records.ts';
import type { Task } from '../../../core/model/content/task.ts';
import { acme } from '../../unit/transfer/exported.ts';
import { newWorld, type World } from '../../fixtures/world/world.ts';

const NOT_COMPARED: readonly string[] = [
  PREFIX.about,
  PREFIX.workspaceState,
  PREFIX.lastLogged,
  PREFIX.nums,
  PREFIX.taskTotal,
  PREFIX.taskCount,
  PREFIX.loggedChange,
  PREFIX.boardEntry,
  PREFIX.historyEnd,
  PREFIX.activity,
];

/** A memory store whose entries can be changed one by one. */
class OpenTree implements Store {
  readonly #tree = new CommittedTree();
  readonly #cache = new StructureCache();
  #lastWrite: Promise<unknown> = Promise.resolve();

  read: Store['read'] = (work) => work(kvTransaction(this.entries(), this.#cache));

  write: Store['write'] = (work) => {
    const result = this.#lastWrite.then(() => this.#write(work));
    this.#lastWrite = result.catch(() => undefined);
    return result;
  };

  async #write<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const tx = kvTransaction(this.#tree.draft(), this.#cache);
    try {
      const result = await work(tx);
      this.#tree.commit();
      tx.structures.settle(this.#cache);
      return result;
    } catch (error) {
      this.#tree.rollback();
      throw error;
    }
  }

  readonly ready = () => Promise.resolve();
  readonly close = () => Promise.resolve();

  entries(): Kv {
    return readOnly(this.#tree.snapshot());
  }

  /** The faults that are found once some entries are other ones. Then they are as before. */
  async faultsAfter(
    spoil: (kv: Kv) => void,
    onPart: (range: KvRange) => void = () => undefined,
  ): Promise<readonly IndexFault[]> {
    const draft = this.#tree.draft();
    spoil(draft);
    const watched: Kv = {
      ...readOnly(draft),
      chunk: (range, ...more) => {
        onPart(range);
        return draft.chunk(range, ...more);
      },
    };
    const faults = await kvTransaction(watched, this.#cache).indexes!.check();
    this.#tree.rollback();
    return faults;
  }
}

/** A store in which every index has entries. */
async function everyIndex(): Promise<{ readonly world: World; readonly store: OpenTree }> {
  const store = new OpenTree();
  const world = newWorld(store);
  const { ada, workspaceId, boardId } = await acme(world, 7);
  const at = { workspaceId };
  await ada.workspaces.update({ ...at, indexedMetadata: ['n'] });
  const { id: taskId } = await ada.tasks.create({ ...at, boardId, title: 'T', externalId: 't-1', metadata: { n: 1 } });
  await ada.comments.create({ ...at, taskId, content: 'said', externalId: 'c-1' });
  const { id: tagId } = await ada.tags.create({ ...at, boardId, name: 'old', color: 'red' });
  await ada.tags.delete({ ...at, boardId, tagId });
  await world.purge();
  const left = { membership: 1, origin: { userId: null, requestId: null }, notBefore: null } as const;
  await store.write(async (tx) => {
    await tx.identities.insert(identity(ada.userId));
    await tx.users.insert(user({ administrator: true, disabled: false }));
    await tx.trash.insert(trashItem(workspaceId, { externalId: 't-2', isTask: true }));
    await tx.jobs.insert({ kind: 'membership-end', id: newId(), workspaceId, memberId: newId(), ...left });
  });
  return { world, store };
}

describe('the comparison of records with indexes', () => {
  let store: OpenTree;
  let world: World;
  /** The entries of each index, by its name. */
  let indexes: ReadonlyMap<string, { readonly prefix: string; readonly entries: readonly KvEntry[] }>;

  before(async () => {
    ({ store, world } = await everyIndex());
    const kv = store.entries();
    const kinds = indexedKinds(kv, new WorkspaceKeys(kv)).flatMap((kind) => [...kind.indexes]);
    const entriesOf = (prefix: string) => kv.range(prefixRange(prefix), Infinity, false);
    indexes = new Map(kinds.map(([prefix, { name }]) => [name, { prefix, entries: entriesOf(prefix) }]));
  });

  it('finds nothing where nothing is wrong, in an index of each kind', async () => {
    expect([...indexes].filter(([, { entries }]) => entries.length === 0).map(([name]) => name)).to.deep.equal([]);
    const { findings } = await world.operator.doctor.check();
    expect(findings.filter(({ rule }) => rule === 'index')).to.deep.equal([]);
  });

  it('looks at every key but those of logs, counters and what expires', () => {
    const kv = store.entries();
    const prefixes = indexedKinds(kv, new WorkspaceKeys(kv)).flatMap(({ records, indexes: own }) => [
      records,
      ...own.keys(),
    ]);
    const others = kv
      .range({ from: '\0', to: '\xff' }, Infinity, false)
      .map(([key]) => key)
      .filter((key) => ![...prefixes, ...NOT_COMPARED].some((prefix) => key.startsWith(prefix)));
    expect(others).to.deep.equal([]);
  });

  it('finds each record that is missing from an index', async () => {
    for (const [name, { entries }] of indexes) {
      for (const [key] of entries) {
        const faults = await store.faultsAfter((kv) => kv.remove(key));
        expect(faults.map(({ detail }) => detail).join(), name).to.include(name);
      }
    }
  });

  it('finds an entry of an index at a place where its record is not', async () => {
    for (const [name, { prefix, entries }] of indexes) {
      const [key, value] = entries[0]!;
      // In what the index is about, or in which record it leads to.
      for (const at of [Math.max(prefix.length + INTEGER, key.length - INTEGER - 1), key.length - 1]) {
        const stray = key.slice(0, at) + String.fromCharCode(key.charCodeAt(at) ^ 0x40) + key.slice(at + 1);
        const faults = await store.faultsAfter((kv) => kv.put(stray, value));
        expect(faults.length, name).to.be.above(0);
      }
    }
  });

  it('looks for a workspace that is gone once, however many entries of it a job is still to remove', async () => {
    const { entries } = indexes.get('tasks.metadata')!;
    const [[key, value] = ['', '']] = entries;
    const states = prefixRange(PREFIX.workspaceState);
    let looks = 0;
    const removed = (kv: Kv) => {
      for (const gone of [PREFIX.workspace, PREFIX.task]) {
        for (const [one] of kv.range(prefixRange(gone), Infinity, false)) kv.remove(one);
      }
      for (const end of ['a', 'b', 'c']) kv.put(key.slice(0, -1) + end, value);
    };
    const faults = await store.faultsAfter(removed, ({ from }) => (looks += from === states.from ? 1 : 0));
    expect(faults.filter(({ detail }) => detail.includes('tasks.metadata'))).to.deep.equal([]);
    expect(looks).to.equal(1);
  });

  it('finds the entries of a record that is gone, and in which workspace', async () => {
    const { from, to } = prefixRange(PREFIX.task);
    const [[key, task] = ['', {}]] = store.entries().range({ from, to }, 1, false);
    const faults = await store.faultsAfter((kv) => kv.remove(key));
    const { workspaceId, tags, assignees } = task as Task;
    // Its id, place, board, update and metadata, and what it is listed by.
    expect(faults).to.have.length(5 + Math.max(tags.length, 1) + Math.max(assignees.length, 1));
    for (const { detail, ...fault } of faults) {
      expect(detail).to.include('of no record');
      expect(fault).to.deep.equal({ workspaceId, id: workspaceId });
    }
  });
});
