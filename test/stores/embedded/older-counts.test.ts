import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { open } from 'lmdb';
import { embeddedStore } from '../../../adapters/store-embedded/index.ts';
import { keyEncoder, valueEncoder } from '../../../adapters/store-embedded/encoding/value-encoding.ts';
import { type KvValue, prefixRange } from '../../../adapters/store-kv/engine/kv.ts';
import { PREFIX } from '../../../adapters/store-kv/engine/key-prefixes.ts';
import { COUNTED_TO } from '../../../adapters/store-kv/task/counted-to.ts';
import type { Store } from '../../../core/ports/store.ts';
import { board, newId, status, task } from '../../contract/records.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';
import { olderFile } from '../older-stores/answers.ts';

/** More than two steps of counting. */
const TASKS = 10_000;

describe('an embedded store from before there were counts', function () {
  this.timeout(60_000);
  const folder = temporaryFolder();
  const kanban = board(newId(), { statuses: [status(), status()] });

  it('is counted in steps, and each opening goes on where the last one was ended', async () => {
    const path = join(folder, 'large.db');
    const writing = embeddedStore({ path, durable: false });
    await writing.write(async (tx) => {
      await tx.boards.insert(kanban);
      for (let num = 1; num <= TASKS; num += 1) {
        await tx.tasks.insert(task(kanban, num, { statusId: kanban.statuses[num % 2]!.id }));
      }
    });
    await writing.close();
    await raw(path, (db) => {
      const keys = Array.from(db.getKeys(countRange()));
      for (const key of keys) db.removeSync(key);
      db.putSync(`${PREFIX.about}schema`, { format: 'espalier', version: 3 });
    });
    const edges: unknown[] = [];
    while (edges.at(-1) !== undefined || edges.length === 0) {
      const store = embeddedStore({ path, durable: false });
      // The first is closed at once, after one step. Meanwhile the others count on for as long as they are read.
      if (edges.length > 0) expect(await counts(store)).to.deep.equal([TASKS / 2, TASKS / 2]);
      await store.close();
      await raw(path, (db) => edges.push(db.get(COUNTED_TO)));
      expect(edges.length, 'openings').to.be.at.most(TASKS);
    }
    expect(edges.length, 'openings').to.be.above(1);
    const closed = edges.slice(0, -1) as string[];
    expect(closed).to.deep.equal([...new Set(closed)].toSorted());
    const store = embeddedStore({ path });
    expect(await counts(store)).to.deep.equal([TASKS / 2, TASKS / 2]);
    await store.close();
  });

  it('of commit a2dbc81 is counted when it is opened', async () => {
    const path = join(folder, 'a2dbc81.db');
    copyFileSync(olderFile('a2dbc81', 'store.lmdb'), path);
    const store = embeddedStore({ path });
    await store.write(async () => undefined);
    await store.close();
    await raw(path, (db) => {
      expect(db.get(COUNTED_TO)).to.equal(undefined);
      const tasks = db.getKeysCount(toLmdb(prefixRange(PREFIX.taskByColumn)));
      const counted = [...db.getRange(countRange())].map(({ value }) => value as number);
      expect(counted.reduce((sum, count) => sum + count, 0)).to.equal(tasks);
      expect(tasks).to.be.above(0);
    });
  });

  async function counts(store: Store): Promise<(number | undefined)[]> {
    const { tasks } = await store.read((tx) => tx.tasks.countByStatus(kanban.workspaceId, kanban.id));
    return kanban.statuses.map(({ id }) => tasks.get(id));
  }
});

type Raw = ReturnType<typeof open<KvValue, string>>;

async function raw(path: string, work: (db: Raw) => void): Promise<void> {
  const encoder = {
    encode: (value: KvValue) => valueEncoder.encode(value),
    decode: (bytes: Buffer) => valueEncoder.decode(bytes),
  };
  const db = open<KvValue, string>({ path, noSubdir: true, overlappingSync: false, keyEncoder, encoder });
  try {
    work(db);
  } finally {
    await db.close();
  }
}

const countRange = () => toLmdb(prefixRange(PREFIX.taskCount));
const toLmdb = ({ from, to }: { from: string; to: string }) => ({ start: from, end: to });
