import type { Task } from '../../../core/model/content/task.ts';
import { INTEGER } from '../engine/key.ts';
import { type Kv, prefixRange, resumeFrom } from '../engine/kv.ts';
import { NO_WORKSPACE } from '../structure/workspace-keys.ts';
import { PREFIX } from '../engine/key-prefixes.ts';
import { taskKey } from './index-keys.ts';
import { COUNTED_TO, countedTo } from './counted-to.ts';
import { addToCount } from './status-counts.ts';
import { groupBy } from '../../../core/kernel/group.ts';

const COLUMNS = prefixRange(PREFIX.taskByColumn);
const KEY_LENGTH = NO_WORKSPACE.length;

/** Marks a store that a release without counts has written, so that {@link countOlderTasks} counts all its tasks. */
export function countFromStart(kv: Kv): void {
  kv.put(COUNTED_TO, '');
}

/**
 * One step of counting the tasks of a store by status: up to `limit` further entries of the column index.
 *
 * @returns whether any are left
 */
export function countOlderTasks(kv: Kv, limit: number): boolean {
  const edge = countedTo(kv);
  if (edge === undefined) return false;
  const entries = kv.range(resumeFrom(COLUMNS, edge, false), limit, false);
  for (const [column, inColumn] of groupBy(entries, ([key]) => key.slice(0, -INTEGER))) {
    const workspaceKey = column.slice(PREFIX.taskByColumn.length, PREFIX.taskByColumn.length + KEY_LENGTH);
    const [, num] = inColumn[0]!;
    // All tasks of a column are on one board.
    const task = kv.get(taskKey.record(workspaceKey, num as string)) as Task | undefined;
    if (task !== undefined) addToCount(kv, workspaceKey, task, inColumn.length);
  }
  const last = entries.length < limit ? undefined : entries.at(-1);
  if (last === undefined) kv.remove(COUNTED_TO);
  else kv.put(COUNTED_TO, last[0]);
  return last !== undefined;
}
