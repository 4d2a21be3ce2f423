import { sees, type Viewer } from '../access/viewer.ts';
import { sameJson } from '../kernel/partial-update.ts';
import { changed, type ReadVersion } from '../kernel/record.ts';
import { withMetadata } from '../model/metadata.ts';
import type { RecordField } from '../model/content/record-field.ts';
import { seenWithoutBoard, TASK_FIELDS, type Task } from '../model/content/task.ts';

/** Fields of a task that are visible only with its board. */
const OF_BOARD: ReadonlySet<string> = new Set(
  Object.entries<RecordField>(TASK_FIELDS).flatMap(([field, { ofBoard }]) => (ofBoard === true ? [field] : [])),
);

/**
 * The task with the changes and the next version. A change of only fields of the board is counted in `boardEdits`, so
 * that viewers of the task alone do not learn of it from its version and time. The task itself if no field differs.
 */
export function changedTask(task: Task, changes: Partial<Task>, at: string): Task {
  const fields = Object.keys(changes) as (keyof Task)[];
  const differing = fields.filter((field) => !sameJson(task[field], changes[field]));
  if (differing.length === 0) return task;
  if (differing.some((field) => !OF_BOARD.has(field))) {
    const next = changed(task, changes, at);
    return changes.metadata === undefined ? next : withMetadata(next, changes.metadata);
  }
  const count = (task.boardEdits?.count ?? 0) + 1;
  const boardEdits = { count, version: task.version + 1, updatedAt: seenWithoutBoard(task).updatedAt };
  return changed(task, { ...changes, boardEdits }, at);
}

/** The version shown to a viewer, which they may expect in an update. */
export function versionSeen(viewer: Viewer, task: Task): ReadVersion {
  if (sees(viewer, task.boardId)) return { version: task.version };
  return { version: seenWithoutBoard(task).version, boardHidden: true };
}
