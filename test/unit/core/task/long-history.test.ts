import { expect } from 'chai';
import type { HistoryEntryView } from '../../../../core/history/view.ts';
import { MAX_ENTRIES } from '../../../../core/model/log/history-entry.ts';
import type { Store } from '../../../../core/ports/store.ts';
import { memoryStore } from '../../../../adapters/store-memory/index.ts';
import { setKeepChanges } from '../../../../core/service/keep-changes.ts';
import { finishJobs } from '../../../fixtures/jobs.ts';
import { newTeam } from '../../../fixtures/world/team.ts';
import { watchedCalls, wrappedStore } from '../../../fixtures/store/wrapped-store.ts';
import { DAY, newWorld } from '../../../fixtures/world/world.ts';

const LIMIT = 500;

/** The store, counting what reads are answered with: a call of any collection, and each record of its answer. */
function countingAnswers(store: Store) {
  const seen = { answers: 0 };
  const sizeOf = (answer: unknown) => (Array.isArray(answer) ? answer.length : answer instanceof Map ? answer.size : 0);
  const counted = (part: object): object =>
    watchedCalls(
      part,
      () => (seen.answers += 1),
      (_, answer) => (seen.answers += sizeOf(answer)),
    );
  const countedIn = <T extends object>(tx: T): T =>
    new Proxy(tx, { get: (target, name) => counted(Reflect.get(target, name) as object) });
  const counting = wrappedStore(store, { read: countedIn });
  return { counting, seen };
}

describe('a history', () => {
  it('is kept as long as its record, and longer than the feed', async () => {
    const { owner, at, board, task, world } = await newTeam();
    const { id: boardId } = await board('Board');
    const on = { ...at, taskId: await task(boardId, 'Task') };
    for (let n = 1; n <= 300; n += 1) await owner.tasks.update({ ...on, priority: n });
    const before = await owner.tasks.history({ ...on, limit: LIMIT });
    expect(before.items).to.have.length(301);
    await setKeepChanges(world.ports, { count: 1, milliseconds: 1_000 });
    world.pass(400 * DAY);
    await finishJobs(world.ports);
    const { last, floor } = await world.store.read((tx) => tx.changeLog.head(at.workspaceId));
    expect(floor).to.equal(last);
    expect(await owner.tasks.history({ ...on, limit: LIMIT })).to.deep.equal(before);
  });
});

describe('the history of a task that was changed 10,000 times', function () {
  this.timeout(60_000);

  it('costs as much on each page as that of one that was changed 1,000 times', async () => {
    const { counting, seen } = countingAnswers(memoryStore());
    const { owner, at, board, task } = await newTeam(newWorld(counting));
    const { id: boardId } = await board('Board');
    const costs: number[][] = [];
    for (const changes of [1_000, MAX_ENTRIES + 1_000]) {
      const on = { ...at, taskId: await task(boardId, 'Task') };
      for (let n = 1; n <= changes; n += 1) await owner.tasks.update({ ...on, priority: n % 1_000 });
      const entries: HistoryEntryView[] = [];
      const cost: number[] = [];
      for (let cursor: string | undefined; ;) {
        seen.answers = 0;
        const slice = await owner.tasks.history({ ...on, limit: LIMIT, ...(cursor === undefined ? {} : { cursor }) });
        cost.push(seen.answers);
        entries.push(...slice.items);
        if (slice.next === null) break;
        cursor = slice.next;
      }
      costs.push(cost);
      expect(entries[0]!.changes[0]).to.include({ field: 'priority', to: changes % 1_000 });
      const stored = entries.filter(({ seq }) => seq !== null);
      const seqs = stored.map(({ seq }) => seq!);
      expect(seqs).to.deep.equal([...new Set(seqs)].toSorted((a, b) => b - a));
      expect(stored.length).to.be.within(Math.min(changes, MAX_ENTRIES - 1_000), MAX_ENTRIES);
      expect(stored.some(({ truncated }) => truncated === true)).to.equal(changes > MAX_ENTRIES);
    }
    const [short, long] = costs as [number[], number[]];
    expect(long.length).to.be.above(short.length);
    expect(Math.max(...long)).to.be.at.most(Math.max(...short));
  });
});
