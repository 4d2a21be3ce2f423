import { expect } from 'chai';
import { PREFIX } from '../../../adapters/store-kv/engine/key-prefixes.ts';
import type { TaskFilter, TaskScope } from '../../../core/model/content/task-query.ts';
import { board, member, newId, status, tag, task, workspace } from '../../contract/records.ts';
import { countingKvStore } from '../../fixtures/store/counting-kv-store.ts';
import { newTeam } from '../../fixtures/world/team.ts';
import { newWorld } from '../../fixtures/world/world.ts';

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

describe('the count of all tasks that a member sees, where pages of their own hide others', () => {
  it('looks up none of those, and follows what becomes of their pages', async () => {
    const asked = { got: [] as string[], put: [] };
    const { owner, guest, at, page, board, task, pagedTask, grant } = await newTeam(newWorld(countingKvStore(asked)));
    const [seen, other, closed] = [await board('Seen'), await board('Other'), await page('Closed')];
    await grant(seen.id, guest, 100);
    await task(seen.id, 'seen');
    const paged: string[] = [];
    for (let n = 0; n < 20; n += 1) paged.push(await pagedTask(seen.id, closed));
    await pagedTask(other.id, closed);
    const total = async () => {
      asked.got.length = 0;
      const list = await guest.tasks.list({ ...at, count: true, limit: 1 });
      return [list.total, asked.got.filter((prefix) => prefix === PREFIX.taskById).length];
    };
    expect(await total()).to.deep.equal([1, 0]);
    await grant(paged[0]!, guest, 100);
    expect(await total()).to.deep.equal([2, 0]);
    await owner.tasks.update({ ...at, taskId: paged[1]!, boardId: other.id });
    expect(await total()).to.deep.equal([2, 0]);
    await owner.tasks.delete({ ...at, taskId: paged[2]! });
    expect(await total()).to.deep.equal([2, 0]);
  });
});
