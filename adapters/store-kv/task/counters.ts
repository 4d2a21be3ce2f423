import type { Task } from '../../../core/model/content/task.ts';
import type { Yielder } from '../../../core/ports/yielder.ts';
import { idKey } from '../engine/key.ts';
import { PREFIX } from '../engine/key-prefixes.ts';
import type { Kv } from '../engine/kv.ts';
import type { WorkspaceKeys } from '../structure/workspace-keys.ts';
import { countedTo } from './counted-to.ts';
import { countNumbered } from './count-entries.ts';
import { taskKey } from './index-keys.ts';
import { changeCounts } from './status-counts.ts';

/** The stored counts of tasks, which each write updates: by status, and of the whole workspace once it was counted. */
export class TaskCounters {
  readonly #kv: Kv;
  readonly #workspaceKeys: WorkspaceKeys;
  /** {@link countedTo} of this transaction; null until it is read. */
  #edge: string | undefined | null = null;

  constructor(kv: Kv, workspaceKeys: WorkspaceKeys) {
    this.#kv = kv;
    this.#workspaceKeys = workspaceKeys;
  }

  /** Counts a change of a task. `before` is null for a new task, `after` for a removed one. */
  change(workspaceKey: string, before: Task | null, after: Task | null): void {
    if (before !== null && after !== null && isAtSamePlace(before, after)) return;
    if (this.#edge === null) this.#edge = countedTo(this.#kv);
    changeCounts(this.#kv, workspaceKey, before, after, this.#edge);
    if (before !== null && before.statusId !== after?.statusId) this.#movePage(workspaceKey, before);
    const by = Number(after !== null) - Number(before !== null);
    const count = by === 0 ? undefined : (this.#kv.get(PREFIX.taskTotal + workspaceKey) as number | undefined);
    if (count !== undefined) this.#kv.put(PREFIX.taskTotal + workspaceKey, count + by);
  }

  #movePage(workspaceKey: string, { workspaceId, id }: Task): void {
    if (this.#kv.get(PREFIX.page + workspaceKey + idKey(id)) === undefined) return;
    const before = this.#workspaceKeys.get(workspaceId)!;
    this.#workspaceKeys.put(workspaceId, { ...before, pageMoves: (before.pageMoves ?? 0) + 1 });
  }

  /** The number of tasks of a workspace; null if it was never counted. */
  total(workspaceKey: string): number | null {
    return (this.#kv.get(PREFIX.taskTotal + workspaceKey) as number | undefined) ?? null;
  }

  /** Counts the tasks of a workspace if that has not been done. O(tasks), once. */
  async ensureTotal(workspaceKey: string, yielder: Yielder): Promise<number> {
    const known = this.total(workspaceKey);
    if (known !== null) return known;
    const count = await countNumbered(this.#kv, taskKey.records(workspaceKey), yielder);
    this.#kv.put(PREFIX.taskTotal + workspaceKey, count);
    return count;
  }
}

function isAtSamePlace(a: Task, b: Task): boolean {
  return a.statusOrderKey === b.statusOrderKey && a.statusId === b.statusId && a.boardId === b.boardId;
}
