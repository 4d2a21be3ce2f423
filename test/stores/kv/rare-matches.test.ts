import { expect } from 'chai';
import { PREFIX } from '../../../adapters/store-kv/engine/key-prefixes.ts';
import type { TaskQuery } from '../../../core/model/content/task-query.ts';
import { board, instant, newId, task } from '../../contract/records.ts';
import { countingKvStore } from '../../fixtures/store/counting-kv-store.ts';

const TASKS = 8_000;
const NONE: ReadonlySet<string> = new Set();

describe('a search by the last change, which few tasks match', () => {
  it('reads most tasks in the order in which they are stored', async () => {
    const asked = { got: [] as string[], put: [] };
    const store = countingKvStore(asked);
    const home = board(newId());
    const { workspaceId } = home;
    const tasks = Array.from({ length: TASKS }, (_, n) =>
      task(home, n + 1, { title: `t${n}`, updatedAt: instant((n * 7_919) % TASKS) }),
    );
    await store.write(async (tx) => {
      await tx.boards.insert(home);
      for (const each of tasks) await tx.tasks.insert(each);
      await tx.tasks.reserveNums(workspaceId, TASKS);
    });
    const matching = tasks.filter(({ title }) => title.includes('t777'));
    for (const descending of [false, true]) {
      const sort = (['updatedAt', 'id'] as const).map((field) => ({ field, descending }));
      const scope = { boards: new Set([home.id]), hidden: NONE, withoutBoard: NONE };
      const query: TaskQuery = { workspaceId, scope, filters: [{ text: 't777' }], sort, after: null, limit: 100 };
      asked.got.length = 0;
      const found = await store.read((tx) => tx.tasks.find(query));
      const ordered = matching.toSorted((a, b) => (a.updatedAt < b.updatedAt !== descending ? -1 : 1));
      expect(found.map(({ num }) => num)).to.deep.equal(ordered.map(({ num }) => num));
      expect(asked.got.filter((prefix) => prefix === PREFIX.taskByUpdate).length).to.be.below(TASKS / 4);
    }
  });
});
