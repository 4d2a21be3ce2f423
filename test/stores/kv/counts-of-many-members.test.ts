import { expect } from 'chai';
import type { TaskFilter, TaskScope } from '../../../core/model/content/task-query.ts';
import { board, member, newId, task, workspace } from '../../contract/records.ts';
import { countingKvStore } from '../../fixtures/store/counting-kv-store.ts';

const MEMBERS = Array.from({ length: 80 }, (_, n) => `m${n}`);
const [TASKS, SEEN] = [2_000, 200];

describe('the count of tasks of very many members', () => {
  it('reads little for each assignment, however many members', async () => {
    const asked = { got: [] as string[], put: [] };
    const store = countingKvStore(asked);
    const seen = board(newId());
    const hidden = board(seen.workspaceId);
    const tasks = Array.from({ length: TASKS }, (_, n) => {
      const assignees = [MEMBERS[n % MEMBERS.length]!, MEMBERS[(n * 7 + 1) % MEMBERS.length]!];
      return task(n < SEEN ? seen : hidden, n + 1, { assignees });
    });
    await store.write(async (tx) => {
      await tx.structures.insert(workspace({ id: seen.workspaceId }), member(seen.workspaceId));
      for (const each of [seen, hidden]) await tx.boards.insert(each);
      for (const each of tasks) await tx.tasks.insert(each);
      await tx.tasks.reserveNums(seen.workspaceId, TASKS);
    });
    const filter: TaskFilter = { field: 'assignees', in: MEMBERS };
    const scopeOf = (...boards: string[]): TaskScope => ({
      boards: new Set(boards),
      hidden: new Set(),
      withoutBoard: new Set(),
    });
    for (const [scope, expected] of [
      [null, TASKS],
      [scopeOf(seen.id, hidden.id), TASKS],
      [scopeOf(seen.id), SEEN],
    ] as const) {
      asked.got.length = 0;
      const conditions = { workspaceId: seen.workspaceId, scope, filters: [filter] };
      expect(await store.read((tx) => tx.tasks.count(conditions))).to.equal(expected);
      expect(asked.got.length).to.be.below(TASKS * 8);
    }
  });
});
