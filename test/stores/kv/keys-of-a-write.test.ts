import { expect } from 'chai';
import type { Kv } from '../../../adapters/store-kv/engine/kv.ts';
import { PREFIX } from '../../../adapters/store-kv/engine/key-prefixes.ts';
import { StructureCache } from '../../../adapters/store-kv/structure/structure-cache.ts';
import { kvTransaction } from '../../../adapters/store-kv/transaction.ts';
import { TreeSnapshot } from '../../../adapters/store-memory/tree.ts';
import { createEspalier } from '../../../adapters/service/index.ts';
import type { Store } from '../../../core/ports/store.ts';

/** What a write asks its key-value store for, by the first character of the key. */
interface Asked {
  readonly got: string[];
  readonly put: string[];
}

function countingStore(asked: Asked): Store {
  const cache = new StructureCache();
  let state = new TreeSnapshot();
  return {
    read: (work) => work(kvTransaction(state.draft(), cache)),
    async write(work) {
      const draft = state.draft();
      const tx = kvTransaction(counting(draft, asked), cache);
      const result = await work(tx);
      state = draft.freeze();
      tx.structures.settle(cache);
      return result;
    },
    ready: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}

function counting(kv: Kv, { got, put }: Asked): Kv {
  return {
    get(key) {
      got.push(key[0]!);
      return kv.get(key);
    },
    range: (...given) => kv.range(...given),
    count: (range) => kv.count(range),
    put(key, value) {
      put.push(key[0]!);
      kv.put(key, value);
    },
    putNew(key, value) {
      put.push(key[0]!);
      return kv.putNew(key, value);
    },
    remove: (key) => kv.remove(key),
  };
}

async function newTask() {
  const asked: Asked = { got: [], put: [] };
  const espalier = createEspalier({ store: countingStore(asked) });
  const ada = espalier.as(await espalier.users.create({ name: 'Ada', email: 'ada@example.org' }));
  const at = { workspaceId: (await ada.workspaces.create({ name: 'Acme' })).id };
  const boardId = (await ada.boards.create({ ...at, name: 'Board' })).id;
  await ada.statuses.create({ ...at, boardId, name: 'Todo' });
  const make = async () => (await ada.tasks.create({ ...at, boardId, title: 'Task', tags: [] })).id;
  const [taskId, other] = [await make(), await make()];
  const of = async (write: () => Promise<unknown>) => {
    asked.got.length = asked.put.length = 0;
    await write();
    // Whether the time of the change differs from that before is up to the clock.
    const put = asked.put.filter((prefix) => prefix !== PREFIX.taskByUpdate);
    return { got: [...asked.got], put: put.toSorted() };
  };
  return { ada, on: { ...at, taskId }, make, other, of };
}

const count = (all: readonly string[], one: string) => all.filter((each) => each === one).length;

describe('the keys of a write', () => {
  it('are those of what changes: a change and its history take one key each', async () => {
    const { ada, on, other, of } = await newTask();
    const logged = [PREFIX.lastLogged, PREFIX.loggedChange];
    const renamed = await of(() => ada.tasks.update({ ...on, title: 'Better' }));
    expect(renamed.put).to.deep.equal([...logged, PREFIX.historyEntry, PREFIX.task].toSorted());
    const moved = await of(() => ada.tasks.update({ ...on, afterTaskId: other }));
    const keys = [...logged, PREFIX.historyEntry, PREFIX.task, PREFIX.taskByColumn];
    expect(moved.put).to.deep.equal(keys.toSorted());
  });

  it('are read once: the task, the end of the log, and the caller', async () => {
    const { ada, on, other, make, of } = await newTask();
    const renamed = await of(() => ada.tasks.update({ ...on, title: 'Better' }));
    for (const prefix of [PREFIX.task, PREFIX.taskById, PREFIX.lastLogged, PREFIX.user, PREFIX.workspaceState]) {
      expect(count(renamed.got, prefix), prefix).to.equal(1);
    }
    expect(renamed.got).to.have.length(5);
    const moved = await of(() => ada.tasks.update({ ...on, afterTaskId: other }));
    expect([count(moved.got, PREFIX.task), count(moved.got, PREFIX.lastLogged)]).to.deep.equal([2, 1]);
    const made = await of(make);
    expect([count(made.got, PREFIX.task), count(made.got, PREFIX.lastLogged)]).to.deep.equal([0, 1]);
  });
});
