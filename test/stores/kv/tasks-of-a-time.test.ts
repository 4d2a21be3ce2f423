import { expect } from 'chai';
import { PREFIX } from '../../../adapters/store-kv/engine/key-prefixes.ts';
import type { TaskQuery } from '../../../core/model/content/task-query.ts';
import { board, instant, newId, task } from '../../contract/records.ts';
import { countingKvStore } from '../../fixtures/store/counting-kv-store.ts';

const TASKS = 24_000;
const RECENT = 17_000;
const LIMIT = 50;
const NONE: ReadonlySet<string> = new Set();

describe('many tasks that changed since a time, by number', () => {
  it('are found without reading most of the tasks before them, and each index entry once', async () => {
    const asked = { got: [] as string[], put: [] };
    const store = countingKvStore(asked);
    const home = board(newId());
    const { workspaceId } = home;
    await store.write(async (tx) => {
      await tx.boards.insert(home);
      for (let n = 0; n < TASKS; n += 1) await tx.tasks.insert(task(home, n + 1, { updatedAt: instant(n) }));
      await tx.tasks.reserveNums(workspaceId, TASKS);
    });
    const scope = { boards: new Set([home.id]), hidden: NONE, withoutBoard: NONE };
    const first = TASKS - RECENT;
    const filters = [{ field: 'updatedAt', from: instant(first) }] as const;
    const sort = (['num', 'id'] as const).map((field) => ({ field, descending: false }));
    const query: TaskQuery = { workspaceId, scope, filters, sort, after: null, limit: LIMIT };
    asked.got.length = 0;
    const found = await store.read((tx) => tx.tasks.find(query));
    expect(found.map(({ num }) => num)).to.deep.equal(Array.from({ length: LIMIT }, (_, n) => first + n + 1));
    const tasks = asked.got.filter((prefix) => prefix === PREFIX.task).length;
    expect(tasks).to.be.below(first / 3);
    expect(asked.got.length - tasks).to.be.below(TASKS);
  });
});
