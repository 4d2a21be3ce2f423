import { expect } from 'chai';
import { type HistoryKind, MAX_ENTRIES } from '../../../core/model/log/history-entry.ts';
import { OF_HISTORY } from '../../../adapters/store-mongodb/connection/collections.ts';
import type { Store } from '../../../core/ports/store.ts';
import { isCountedAt } from '../../../adapters/store-mongodb/records/change-log.ts';
import { newChange, newId } from '../../contract/records.ts';
import { emptyMongodbStore, mongodbPeer, mongodbUrl, rawDatabase } from '../../fixtures/mongodb/mongodb.ts';

/** Entries beyond the bound that were never counted. */
const BEYOND = 1_500;
/** What one write removes at most. */
const CHUNK = 512;

describe('a history on MongoDB whose writer keeps its entries from being counted', function () {
  this.timeout(60_000);

  before(async function () {
    await mongodbUrl(this);
  });

  it('is cut by the next counts, each of which reads and removes a bounded number of entries', async () => {
    let limits: (number | undefined)[] = [];
    const store = await emptyMongodbStore('histories', {
      client: { monitorCommands: true },
      observe(client) {
        client.on('commandStarted', ({ command }) => {
          const { aggregate, find, limit, pipeline = [] } = command as Sent;
          if ((aggregate ?? find) === 'changeLog')
            limits.push(limit ?? pipeline.find((stage) => '$limit' in stage)?.$limit);
        });
      },
    });
    const [workspaceId, recordId] = [newId(), newId()];
    const entry = { verb: 'update', changes: '[]' } as const;
    let last = 0;
    /** An entry behind so many changes of other records. */
    const write = async (others: number) => {
      const changes = [...Array.from({ length: others }, () => newChange()), newChange({ recordId, entry })];
      ({ last } = await store.write((tx) => tx.changeLog.append(workspaceId, changes)));
    };
    await write(0);
    const log = (await rawDatabase('histories')).collection<{ _id: string; offset: number }>('changeLog');
    const entries = () => log.countDocuments({ histories: { $exists: true } });
    const { _id, ...first } = (await log.findOne({}))!;
    const uncounted = Array.from({ length: MAX_ENTRIES + BEYOND }, (_, n) => ({ ...first, offset: -n }));
    await log.insertMany(uncounted.map((one) => ({ ...one, _id: `${_id} ${one.offset}` })));
    let before = await entries();
    for (let counts = 0; before > MAX_ENTRIES; counts += 1) {
      expect(counts).to.be.below(5);
      let others = 0;
      while (!isCountedAt(last + 1 + others)) others += 1;
      limits = [];
      await write(others);
      const [counted, removed, ...more] = limits;
      expect([counted, more]).to.deep.equal([MAX_ENTRIES, []]);
      expect(removed).to.be.within(1, CHUNK + 1);
      const after = await entries();
      expect(before - after).to.be.within(1, CHUNK);
      before = after;
    }
    await store.close();
  });
});

describe('an entry on MongoDB that leaves a history', function () {
  this.timeout(60_000);

  before(async function () {
    await mongodbUrl(this);
  });

  it('leaves its change to the feed and to other histories, and else nothing', async () => {
    const store = await emptyMongodbStore('histories');
    const [workspaceId, id] = [newId(), newId()];
    const deleted = { kind: 'page', recordId: id, boardId: id, entry: { verb: 'delete', changes: '[]' } } as const;
    const plain = newChange();
    await store.write((tx) => tx.changeLog.append(workspaceId, [newChange(deleted), newChange(deleted), plain]));
    await store.write((tx) => tx.changeLog.trim(workspaceId, 1, 9));
    const log = (await rawDatabase('histories')).collection('changeLog');
    const stored = async () => {
      const docs = await log.find({ workspaceId }, { sort: { offset: 1 } }).toArray();
      return docs.map(({ offset, histories }) => [offset, histories]);
    };
    const both = [`page ${id}`, `board ${id}`];
    expect(await stored()).to.deep.equal([
      [1, both],
      [2, both],
      [3, undefined],
    ]);
    const remove = (kind: HistoryKind) =>
      store.write((tx) => tx.changeLog.removeHistories({ workspaceId, kinds: [kind], recordIds: [id] }, 9));
    await remove('page');
    expect(await stored()).to.deep.equal([
      [1, [`board ${id}`]],
      [2, [`board ${id}`]],
      [3, undefined],
    ]);
    await remove('board');
    const left = await log.find({ workspaceId }, { sort: { offset: 1 } }).toArray();
    expect(left.map(({ offset }) => offset as number)).to.deep.equal([2, 3]);
    expect(Object.keys(left[0]!)).to.deep.equal(Object.keys(left[1]!));
    await store.close();
  });
});

describe('histories on MongoDB whose index is dropped or hidden while the store is open', function () {
  this.timeout(60_000);

  before(async function () {
    await mongodbUrl(this);
  });

  for (const change of ['dropped', 'hidden'] as const) {
    it(`are read, written and removed, where it is ${change}`, async () => {
      const stores = [await emptyMongodbStore('without-index')];
      for (let n = 0; n < 2; n += 1) stores.push(await mongodbPeer('without-index'));
      await Promise.all(stores.map((one) => one.ready()));
      const db = await rawDatabase('without-index');
      if (change === 'dropped') await db.collection('changeLog').dropIndex(OF_HISTORY);
      else await db.command({ collMod: 'changeLog', index: { name: OF_HISTORY, hidden: true } });
      const [writer, reader, remover] = stores as [Store, Store, Store];
      const [workspaceId, recordId] = [newId(), newId()];
      const entry = { verb: 'update', changes: '[]' } as const;
      let counted = 0;
      for (let last = 0; counted < 2; counted += Number(isCountedAt(last))) {
        ({ last } = await writer.write((tx) => tx.changeLog.append(workspaceId, [newChange({ recordId, entry })])));
      }
      const of = { workspaceId, kind: 'task', recordId } as const;
      const history = (from: Store) => from.read((tx) => tx.changeLog.historyOf(of, null, 1_000));
      const { last } = await reader.read((tx) => tx.changeLog.head(workspaceId));
      expect((await history(reader)).map(({ offset }) => offset)).to.deep.equal(
        Array.from({ length: last }, (_, n) => last - n),
      );
      expect(await reader.read((tx) => tx.changeLog.isTruncated(of))).to.equal(false);
      const ofTask = { workspaceId, kinds: ['task'], recordIds: [recordId] } as const;
      const { removed } = await remover.write((tx) => tx.changeLog.removeHistories(ofTask, 1_000));
      expect([removed, await history(writer)]).to.deep.equal([last, []]);
      for (const one of stores) await one.close();
      await db.dropDatabase();
    });
  }
});

/** What of a query is looked at. */
interface Sent {
  readonly aggregate?: string;
  readonly find?: string;
  readonly limit?: number;
  readonly pipeline?: readonly { readonly $limit?: number }[];
}
