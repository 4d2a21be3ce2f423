import type { Task } from '../../core/task/task.ts';
import { idKey, integerKey, NO_ID, textKey, timeKey } from './key.ts';
import { table } from './table.ts';

/**
 * The indexes of tasks. Every key begins with the space of the workspace, every value is the packed id.
 * Those of a board, an assignee and a tag end with `num`, so each of them yields its tasks by `num`.
 */
export const taskKey = {
  record: (space: string, id: string): string => table.task + space + id,
  byNum: (space: string): string => table.taskByNum + space,
  column: (space: string, statusId: string): string => table.taskByColumn + space + idKey(statusId),
  ofBoard: (space: string, boardId: string): string => table.taskOfBoard + space + idKey(boardId),
  /** Null: of nobody. */
  ofAssignee: (space: string, memberId: string | null): string =>
    table.taskOfAssignee + space + (memberId === null ? NO_ID : idKey(memberId)),
  /** Null: without tags. */
  ofTag: (space: string, tagId: string | null): string =>
    table.taskOfTag + space + (tagId === null ? NO_ID : idKey(tagId)),
  byUpdate: (space: string): string => table.taskByUpdate + space,
  external: (space: string, externalId: string): string => table.taskByExternalId + space + textKey(externalId),
};

/** All keys under which a task is found, but that of the record itself. */
export function indexKeys(space: string, task: Task): string[] {
  const num = integerKey(task.num);
  const keys = [
    taskKey.byNum(space) + num,
    taskKey.column(space, task.statusId) + integerKey(task.statusOrderKey),
    taskKey.ofBoard(space, task.boardId) + num,
    taskKey.byUpdate(space) + timeKey(task.updatedAt) + idKey(task.id),
  ];
  if (task.externalId !== null) keys.push(taskKey.external(space, task.externalId));
  for (const member of noneOr(task.assignees)) keys.push(taskKey.ofAssignee(space, member) + num);
  for (const tag of noneOr(task.tags)) keys.push(taskKey.ofTag(space, tag) + num);
  return keys;
}

/** Whether both are found under the same keys, told without making them. */
export function sameIndexKeys(a: Task, b: Task): boolean {
  return (
    a.num === b.num &&
    a.boardId === b.boardId &&
    a.statusId === b.statusId &&
    a.statusOrderKey === b.statusOrderKey &&
    a.updatedAt === b.updatedAt &&
    a.externalId === b.externalId &&
    sameItems(a.assignees, b.assignees) &&
    sameItems(a.tags, b.tags)
  );
}

function sameItems(a: readonly string[], b: readonly string[]): boolean {
  return a === b || (a.length === b.length && a.every((item, i) => item === b[i]));
}

function noneOr(ids: readonly string[]): readonly (string | null)[] {
  return ids.length === 0 ? [null] : ids;
}
