import { expect } from 'chai';
import { PREFIX } from '../../../adapters/store-kv/engine/key-prefixes.ts';
import { createEspalier } from '../../../adapters/service/index.ts';
import { endIn } from '../../../adapters/store-kv/history/ends.ts';
import { MAX_ENTRIES } from '../../../core/model/log/history-entry.ts';
import { newChange, newId } from '../../contract/records.ts';
import { type Asked, countedTurns, countingKvStore } from '../../fixtures/store/counting-kv-store.ts';

/** So many changes of a task, in writes of as many at once. */
const CHANGES = MAX_ENTRIES + 700;
const AT_ONCE = 100;
const LIMIT = 20;

describe('the history of a task with more than 10,000 changes', () => {
  const asked: Asked = { got: [], put: [] };
  const store = countingKvStore(asked);
  let read: (cursor?: string) => Promise<{ readonly next: string | null; readonly seqs: readonly unknown[] }>;
  const perWrite: number[] = [];
  let workspaceId = '';

  before(async () => {
    const espalier = createEspalier({ store });
    const ada = espalier.as(await espalier.users.create({ name: 'Ada', email: 'ada@example.org' }));
    workspaceId = (await ada.workspaces.create({ name: 'Acme' })).id;
    const { id: boardId } = await ada.boards.create({ workspaceId, name: 'Board' });
    await ada.statuses.create({ workspaceId, boardId, name: 'Todo' });
    const { id: taskId } = await ada.tasks.create({ workspaceId, boardId, title: 'Task' });
    for (let n = 0; n < CHANGES; n += AT_ONCE) {
      const one = newChange({ recordId: taskId, boardId, fromBoardId: null, entry: { verb: 'update', changes: '[]' } });
      const changes = Array.from({ length: AT_ONCE }, () => one);
      asked.got.length = 0;
      await store.write((tx) => tx.changeLog.append(workspaceId, changes));
      perWrite.push(asked.got.length);
    }
    read = async (cursor) => {
      const part = { limit: LIMIT, ...(cursor !== undefined && { cursor }) };
      const { items, next } = await ada.tasks.history({ workspaceId, taskId, ...part });
      return { next, seqs: items.map(({ seq }) => seq) };
    };
  });

  it('is read with as many reads for each part, wherever it is', async () => {
    const reads = new Set<number>();
    let entries = 0;
    for (let cursor: string | undefined; ;) {
      asked.got.length = 0;
      const { next, seqs } = await read(cursor);
      entries += seqs.filter((seq) => seq !== null).length;
      if (next === null) break;
      // The first part begins at the end of the history, the others behind an entry.
      if (cursor !== undefined) reads.add(asked.got.length);
      cursor = next;
    }
    expect(entries).to.equal(MAX_ENTRIES);
    expect([...reads]).to.have.length(1);
    expect([...reads][0]).to.be.at.most(LIMIT + 20);
  });

  it('costs a write some reads for each entry, however long it is', () => {
    expect(Math.max(...perWrite)).to.be.at.most(8 * AT_ONCE);
  });

  it('leaves little more stored than that', async () => {
    const { last } = await store.read((tx) => tx.changeLog.head(workspaceId));
    await store.write((tx) => tx.changeLog.trim(workspaceId, last, 2 * CHANGES));
    asked.got.length = 0;
    // It reads all that it removes.
    await store.write((tx) => tx.changeLog.clear(workspaceId, null, 2 * CHANGES));
    const left = asked.got.filter((prefix) => prefix === PREFIX.loggedChange);
    expect(left.length)
      .to.be.at.least(MAX_ENTRIES)
      .and.at.most(MAX_ENTRIES + 256);
  });
});

describe('the histories of records that always change together', () => {
  it('cost each write some reads for each entry, and no turn more than some entries do', async () => {
    const asked: Asked = { got: [], put: [] };
    const turns = countedTurns(asked);
    const store = countingKvStore(asked, turns.share);
    const write = async (recordIds: readonly string[]) => {
      const changes = recordIds.map((recordId) => newChange({ recordId, entry: { verb: 'update', changes: '[]' } }));
      const before = asked.got.length;
      await store.write((tx) => tx.changeLog.append(workspaceId, changes));
      return asked.got.length - before;
    };
    const workspaceId = newId();
    const ids = Array.from({ length: AT_ONCE }, newId);
    const perWrite: number[] = [];
    for (let n = 0; n < 130; n += 1) perWrite.push(await write(ids));
    expect(Math.max(...perWrite)).to.be.at.most(16 * AT_ONCE);
    // These were made to look back in the same write.
    const alike = ids.map((id) => `${id.slice(0, -2)}00`);
    for (let n = 0; n < 130; n += 1) await write(alike);
    expect(turns.longest()).to.be.at.most(1_400);
  });
});

describe('the change log of many changes', () => {
  it('lets others run while it is read and trimmed', async () => {
    const asked: Asked = { got: [], put: [] };
    const turns = countedTurns(asked);
    const store = countingKvStore(asked, turns.share);
    const workspaceId = newId();
    const many = 4_000;
    const changes = Array.from({ length: many }, () => newChange());
    await store.write((tx) => tx.changeLog.append(workspaceId, changes));
    expect(await store.read((tx) => tx.changeLog.list(workspaceId, 0, many))).to.have.length(many);
    expect(await store.write((tx) => tx.changeLog.trim(workspaceId, many, many - 1))).to.equal(true);
    expect(await store.write((tx) => tx.changeLog.trim(workspaceId, many, 9))).to.equal(false);
    expect(turns.longest()).to.be.at.most(1_400);
  });
});

describe('the end of a history', () => {
  it('is read as releases before this one have stored it', () => {
    const end = { offset: 7, count: 3 };
    expect([end, { place: 7, count: 3 }].map(endIn)).to.deep.equal([end, end]);
  });
});
