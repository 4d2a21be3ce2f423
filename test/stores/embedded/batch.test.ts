import { expect } from 'chai';
import { join } from 'node:path';
import { embeddedStore } from '../../../adapters/store-embedded/index.ts';
import type { Task } from '../../../core/model/content/task.ts';
import { board, newId, task } from '../../contract/records.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

/** Some ten changes each: more than a write keeps in memory. */
const MANY = 600;

describe('writes that share a commit', function () {
  this.timeout(60_000);
  const folder = temporaryFolder();
  const store = embeddedStore({ path: join(folder, 'batch.db') });
  const kanban = board(newId());
  const { workspaceId } = kanban;
  let num = 0;
  let stored = 0;
  const next = (): Task => task(kanban, (num += 1));
  const insert = (tasks: readonly Task[], fails = false): Promise<string> =>
    store
      .write(async (tx) => {
        for (const each of tasks) await tx.tasks.insert(each);
        for (const each of tasks) expect(await tx.tasks.get(workspaceId, each.id)).to.deep.equal(each);
        if (fails) throw new Error('on purpose');
      })
      .then(
        () => 'done',
        (error: Error) => error.message,
      );
  const expectStored = async (tasks: readonly Task[], there: boolean): Promise<void> => {
    await store.read(async (tx) => {
      for (const each of tasks) expect(await tx.tasks.get(workspaceId, each.id)).to.deep.equal(there ? each : null);
    });
  };

  after(() => store.close());

  for (const many of [1, MANY]) {
    it(`of ${many} tasks are kept or undone each for itself`, async () => {
      const kept = Array.from({ length: many }, next);
      const undone = Array.from({ length: many }, next);
      const [before, behind] = [[next()], [next()]];
      const ends = await Promise.all([insert(before), insert(undone, true), insert(kept), insert(behind)]);
      expect(ends).to.deep.equal(['done', 'on purpose', 'done', 'done']);
      await expectStored([...before, ...kept, ...behind], true);
      await expectStored(undone, false);
      const count = await store.read((tx) => tx.tasks.count({ workspaceId, scope: null, filters: [] }));
      expect(count).to.equal((stored += kept.length + 2));
    });
  }

  for (const many of [1, MANY]) {
    it(`see nothing of one before them that wrote ${many} tasks and was undone`, async () => {
      const reserve = () => store.write((tx) => tx.tasks.reserveNums(workspaceId, 1));
      const undone = (): Promise<unknown> =>
        store
          .write(async (tx) => {
            await tx.tasks.reserveNums(workspaceId, 1_000);
            for (let n = 0; n < many; n += 1) await tx.tasks.insert(next());
            await tx.tasks.reserveNums(workspaceId, 1_000);
            throw new Error('on purpose');
          })
          .catch(() => {});
      const [first, , last] = await Promise.all([reserve(), undone(), reserve()]);
      expect(last).to.equal(first + 1);
      expect(await store.read((tx) => tx.tasks.lastNum(workspaceId))).to.equal(last);
    });
  }

  it('see what those before them in the commit have written', async () => {
    const first = next();
    const [, seen] = await Promise.all([
      insert([first]),
      store.write(async (tx) => (await tx.tasks.get(workspaceId, first.id))?.num),
    ]);
    expect(seen).to.equal(first.num);
  });

  it('are seen by no reader before it, by id, in a range or in a count', async () => {
    const first = next();
    const seen = async () =>
      store.read(async (tx) => ({
        byId: (await tx.tasks.get(workspaceId, first.id)) !== null,
        inColumn: (await tx.tasks.column(workspaceId, first.statusId, { from: first.statusOrderKey, limit: 1 })).length,
        count: await tx.tasks.count({ workspaceId, scope: null, filters: [] }),
      }));
    const { count } = await seen();
    let begun!: () => void;
    let end!: () => void;
    const isOpen = new Promise<void>((resolve) => (begun = resolve));
    const isRead = new Promise<void>((resolve) => (end = resolve));
    const both = Promise.all([insert([first]), store.write(() => (begun(), isRead))]);
    try {
      await isOpen;
      expect(await seen()).to.deep.equal({ byId: false, inColumn: 0, count });
    } finally {
      end();
    }
    await both;
    expect(await seen()).to.deep.equal({ byId: true, inColumn: 1, count: count + 1 });
  });
});
