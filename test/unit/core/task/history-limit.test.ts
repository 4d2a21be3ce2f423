import { expect } from 'chai';
import type { HistoryEntryView } from '../../../../core/history/view.ts';
import { MAX_ENTRIES } from '../../../../core/model/log/history-entry.ts';
import { newChange } from '../../../contract/records.ts';
import { newTask } from '../../../fixtures/suite/task-history.ts';
import { newTeam } from '../../../fixtures/world/team.ts';
import type { WorkspaceAt } from '../../../fixtures/world/workspace.ts';
import type { World } from '../../../fixtures/world/world.ts';

/** Writes changes of one record, 500 a transaction. @param count a multiple of that */
async function addChanges(world: World, at: WorkspaceAt, count: number, change: Parameters<typeof newChange>[0]) {
  for (let added = 0; added < count; added += 500) {
    const changes = Array.from({ length: 500 }, () => newChange(change));
    await world.store.write((tx) => tx.changeLog.append(at.workspaceId, changes));
  }
}

describe('the limit of entries in the history of a task', () => {
  it('keeps at most 10,000 entries, says so, and costs a few reads however long it is', async () => {
    const { at, on, world, owner } = await newTask();
    const of = { workspaceId: at.workspaceId, kind: 'task', recordId: on.taskId } as const;
    const entry = { verb: 'update', changes: '[]' } as const;
    const added = MAX_ENTRIES + 1_000;
    await addChanges(world, at, added, { recordId: on.taskId, entry });
    const all = await world.store.read((tx) => tx.changeLog.historyOf(of, null, added));
    expect(all).to.have.length(MAX_ENTRIES);
    expect(all.map(({ isOldest }) => isOldest).indexOf(true)).to.equal(MAX_ENTRIES - 1);
    const { items, next } = await owner.tasks.history({ ...on, limit: 500 });
    expect([items.length, items[0]!.seq === all[0]!.seq, next === null]).to.deep.equal([500, true, false]);
    const cursor = next!.replace(/[^.]+$/, String(all.at(-3)!.offset));
    const last = await owner.tasks.history({ ...on, limit: 2, cursor });
    expect(last.items.map(({ truncated }) => truncated)).to.deep.equal([undefined, true]);
  });

  it('says that older entries are gone also where the oldest of those that are kept is hidden', async () => {
    const { owner, member, at, world, task, board, grant } = await newTeam();
    const { id: boardId } = await board('Secret');
    await grant(boardId, member, 0);
    const on = { ...at, taskId: await task(boardId, 'Task') };
    await owner.pages.create({ ...at, name: 'Task', type: 'task', taskId: on.taskId });
    const entry = { verb: 'update', changes: '[["statusOrderKey",1,2]]' } as const;
    await addChanges(world, at, MAX_ENTRIES + 500, { recordId: on.taskId, boardId, entry });
    const all: (HistoryEntryView & { readonly truncated?: true })[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const { items, next } = await member.tasks.history({ ...on, limit: 1, ...(cursor !== undefined && { cursor }) });
      all.push(...items);
      cursor = next;
    }
    expect(all.map(({ action, truncated }) => [action, truncated])).to.deep.equal([['task.create', true]]);
  });

  it('says that older entries are gone also where they go while it is read in parts', async () => {
    const { at, on, world, owner } = await newTask();
    const entry = { verb: 'update', changes: '[]' } as const;
    const add = (count: number) => addChanges(world, at, count, { recordId: on.taskId, entry });
    await add(MAX_ENTRIES);
    const of = { workspaceId: at.workspaceId, kind: 'task', recordId: on.taskId } as const;
    const all = await world.store.read((tx) => tx.changeLog.historyOf(of, null, MAX_ENTRIES));
    const { next } = await owner.tasks.history({ ...on, limit: 1 });
    const cursorAt = (n: number) => next!.replace(/[^.]+$/, String(all.at(n)!.offset));
    const rest = async (n: number) => {
      const { items } = await owner.tasks.history({ ...on, cursor: cursorAt(n) });
      return items.map(({ action, truncated }) => [action, truncated]);
    };
    expect(await rest(-2)).to.deep.equal([
      ['task.update', undefined],
      ['task.create', undefined],
    ]);
    await add(500);
    expect(await rest(-2)).to.deep.equal([['task.create', true]]);
  });
});
