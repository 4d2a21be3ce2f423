import { expect } from 'chai';
import type { Document } from 'mongodb';
import { board, newId, status, task } from '../../contract/records.ts';
import { emptyMongodbStore, mongodbUrl, rawDatabase } from '../../fixtures/mongodb/mongodb.ts';
import { compareCounts } from '../../proofs/property/board-counts.ts';
import { firstSeed } from '../../contract/random.ts';

/** ESPALIER_MONGODB_SEQUENCES: how many random sequences; ESPALIER_SEED: the first of them. */
const SEQUENCES = Math.ceil(Number(process.env['ESPALIER_MONGODB_SEQUENCES'] ?? 10) / 10);
const SEED = firstSeed();

describe('counts of tasks, on MongoDB', function () {
  this.timeout(0);

  before(async function () {
    await mongodbUrl(this);
  });

  it('are the tasks that each reader is shown', () =>
    compareCounts({ open: () => emptyMongodbStore('counts'), sequences: SEQUENCES, length: 75, seed: SEED }));

  it('go with their board, and name no status without tasks', async () => {
    const store = await emptyMongodbStore('counts');
    const kanban = board(newId(), { statuses: [status(), status()] });
    const { workspaceId } = kanban;
    await store.write(async (tx) => {
      await tx.boards.insert(kanban);
      for (let num = 1; num <= 10; num += 1) {
        await tx.tasks.insert(task(kanban, num, { statusId: kanban.statuses[num % 2]!.id }));
      }
    });
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
