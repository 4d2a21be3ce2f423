import { expect } from 'chai';
import type { TaskFilter, TaskScope } from '../../../core/model/content/task-query.ts';
import { board, member, newId, status, tag, task, workspace } from '../../contract/records.ts';
import { countingKvStore } from '../../fixtures/store/counting-kv-store.ts';

const TASKS = 4_000;
/** Every second task has a page of its own, every hundredth matches. */
const [PAGED, MATCHING] = [2, 100];

describe('the count of a few tasks, where very many others have pages of their own', () => {
  it('looks up none of those', async () => {
    const asked = { got: [] as string[], put: [] };
    const store = countingKvStore(asked);
    const [few, many] = [status(), status()];
    const rare = tag();
    const home = board(newId(), { statuses: [many, few], tags: [rare] });
    const tasks = Array.from({ length: TASKS }, (_, n) =>
      task(home, n + 1, n % MATCHING === 0 ? { statusId: few.id, tags: [rare.id], assignees: ['m'] } : {}),
    );
    await store.write(async (tx) => {
      await tx.structures.insert(workspace({ id: home.workspaceId }), member(home.workspaceId));
      await tx.boards.insert(home);
      for (const each of tasks) await tx.tasks.insert(each);
      await tx.tasks.reserveNums(home.workspaceId, TASKS);
    });
    const idsOf = (some: typeof tasks) => new Set(some.map(({ id }) => id));
    const [matching, paged] = [MATCHING, PAGED].map((every) => idsOf(tasks.filter((_, n) => n % every === 0)));
    const hiding: TaskScope = {
      boards: new Set([home.id]),
      hidden: idsOf(tasks.filter((_, n) => n % PAGED === 1)),
      withoutBoard: new Set(),
    };
    const showing: TaskScope = { boards: new Set(), hidden: new Set(), withoutBoard: paged! };
    const everywhere: TaskFilter[] = [{ field: 'assignees', in: ['m'] }, { ids: matching! }];
    const onBoard: TaskFilter[] = [
      { field: 'statusId', in: [few.id] },
      { field: 'tags', in: [rare.id] },
    ];
    for (const [scope, filter, expected] of [
      ...[...everywhere, ...onBoard].map((one) => [hiding, one, TASKS / MATCHING] as const),
      ...everywhere.map((one) => [showing, one, TASKS / MATCHING] as const),
      ...onBoard.map((one) => [showing, one, 0] as const),
    ]) {
      asked.got.length = 0;
      const conditions = { workspaceId: home.workspaceId, scope, filters: [filter] };
      const about = JSON.stringify(filter);
      expect(await store.read((tx) => tx.tasks.count(conditions)), about).to.equal(expected);
      expect(asked.got.length, about).to.be.below(TASKS / PAGED / 2);
    }
  });
});
