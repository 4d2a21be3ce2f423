import { expect } from 'chai';
import type { Document } from 'mongodb';
import type { Store } from '../../../core/ports/store.ts';
import { board, newId, status, task } from '../../contract/records.ts';
import { emptyMongodbStore, mongodbPeer, mongodbUrl, rawDatabase } from '../../fixtures/mongodb.ts';
import { compareCounts } from '../../proofs/property/board-counts.ts';
import { firstSeed } from '../../contract/random.ts';

/** ESPALIER_MONGODB_SEQUENCES: how many random sequences; ESPALIER_SEED: the first of them. */
const SEQUENCES = Math.ceil(Number(process.env['ESPALIER_MONGODB_SEQUENCES'] ?? 20) / 10);
const SEED = firstSeed();

/** More than two steps of counting. */
const TASKS = 2_500;

describe('counts of tasks, on MongoDB', function () {
  this.timeout(0);

  before(async function () {
    await mongodbUrl(this);
  });

  it('are the tasks that each reader is shown', () =>
    compareCounts({ open: () => emptyMongodbStore('counts'), sequences: SEQUENCES, length: 75, seed: SEED }));

  it('of a database from before there were any are made in steps, and right meanwhile', async () => {
    const { store, kanban, counts } = await withTasks();
    await asBefore();
    let created = 0;
    const create = () =>
      store.write(async (tx) => {
        for (const end = created + 3; created < end;) {
          created += 1;
          await tx.tasks.insert(task(kanban, TASKS + created, { statusId: kanban.statuses[1]!.id }));
        }
      });
    // What is there of counts is removed first, then a step is taken with each transaction.
    for (const countedTo of [0, 1_000, 2_000, Number.MAX_SAFE_INTEGER]) {
      expect(await counts()).to.deep.equal([TASKS / 2, TASKS / 2 + created]);
      await create();
      const state = await lock(kanban.workspaceId);
      expect(state).to.include({ countedTo, countSeq: state['seq'] });
    }
    expect(await kept(kanban.workspaceId)).to.deep.equal([TASKS / 2, TASKS / 2 + created]);
    expect(await counts()).to.deep.equal([TASKS / 2, TASKS / 2 + created]);
    await store.close();
  });

  it('do not hold when a process that keeps none has written, and are made anew', async () => {
    const { store, kanban, counts } = await withTasks();
    const { workspaceId } = kanban;
    expect(await kept(workspaceId)).to.deep.equal([TASKS / 2, TASKS / 2]);
    // As the earlier release does: it raises the one number that it knows.
    const db = await rawDatabase('counts');
    await db.collection<Doc>('locks').updateOne({ _id: workspaceId }, { $inc: { seq: 1 } });
    await db
      .collection<Doc>('tasks')
      .updateOne({ workspaceId, num: 1 }, { $set: { statusId: kanban.statuses[0]!.id, statusOrderKey: -5 } });
    expect(await counts()).to.deep.equal([TASKS / 2 + 1, TASKS / 2 - 1]);
    const other = await mongodbPeer('counts');
    let created = 0;
    for (let isCounted = false; !isCounted;) {
      created += 1;
      await other.write((tx) => tx.tasks.insert(task(kanban, TASKS + created, { statusId: kanban.statuses[1]!.id })));
      expect(await counts()).to.deep.equal([TASKS / 2 + 1, TASKS / 2 - 1 + created]);
      const { seq, countSeq, countedTo } = await lock(workspaceId);
      isCounted = seq === countSeq && countedTo === Number.MAX_SAFE_INTEGER;
    }
    expect(await kept(workspaceId)).to.deep.equal([TASKS / 2 + 1, TASKS / 2 - 1 + created]);
    await other.close();
    await store.close();
  });

  it('go with their board, and name no status without tasks', async () => {
    const { store, kanban } = await withTasks(10);
    const { workspaceId } = kanban;
    const [open, done] = kanban.statuses.map(({ id }) => id);
    await store.write(async (tx) => {
      for (const each of await tx.tasks.column(workspaceId, open!, { limit: 100 })) {
        await tx.tasks.replace({ ...each, statusId: done!, statusOrderKey: each.statusOrderKey + 1 });
      }
    });
    const db = await rawDatabase('counts');
    const [doc] = await db
      .collection<Doc>('locks')
      .find({ _id: /^counts\// })
      .toArray();
    expect(doc?.['tasks']).to.deep.equal({ [done!]: 10 });
    const counts = await store.write(async (tx) => {
      const { tasks: before } = await tx.tasks.countByStatus(workspaceId, kanban.id);
      for (const each of await tx.tasks.column(workspaceId, done!, { limit: 100 })) await tx.tasks.remove(each);
      await tx.boards.remove(kanban);
      const { tasks: after } = await tx.tasks.countByStatus(workspaceId, kanban.id);
      return { before: before.get(done!), after: after.get(done!) };
    });
    expect(counts).to.deep.equal({ before: 10, after: 0 });
    expect(await db.collection<Doc>('locks').countDocuments({ _id: /^counts\// })).to.equal(0);
    await store.close();
  });
});

interface Doc extends Document {
  _id: string;
}

async function withTasks(tasks = TASKS) {
  const store: Store = await emptyMongodbStore('counts');
  const kanban = board(newId(), { statuses: [status(), status()] });
  await store.write(async (tx) => {
    await tx.boards.insert(kanban);
    for (let num = 1; num <= tasks; num += 1) {
      await tx.tasks.insert(task(kanban, num, { statusId: kanban.statuses[num % 2]!.id }));
    }
  });
  const counts = () =>
    store.read(async (tx) => {
      const { tasks: found } = await tx.tasks.countByStatus(kanban.workspaceId, kanban.id);
      return kanban.statuses.map(({ id }) => found.get(id) ?? 0);
    });
  return { store, kanban, counts };
}

/** Takes away what earlier releases do not write. */
async function asBefore(): Promise<void> {
  const locks = (await rawDatabase('counts')).collection<Doc>('locks');
  await locks.deleteMany({ _id: /^counts\// });
  await locks.updateMany({}, { $unset: { countedTo: 1, countSeq: 1, pageMoves: 1 } });
}

async function lock(workspaceId: string): Promise<Document> {
  const locks = (await rawDatabase('counts')).collection<Doc>('locks');
  return (await locks.findOne({ _id: workspaceId })) ?? {};
}

/** In the order of the names of the statuses, which is that in which they were made. */
async function kept(workspaceId: string): Promise<number[]> {
  const locks = (await rawDatabase('counts')).collection<Doc>('locks');
  const docs = await locks.find({ _id: { $gte: `counts/${workspaceId}/`, $lt: `counts/${workspaceId}0` } }).toArray();
  const counts = docs.flatMap(({ tasks }) => Object.entries(tasks as Record<string, number>));
  return counts.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, count]) => count);
}
