import type { Task } from '../../../core/model/task.ts';
import { idKey, INTEGER, integerKey, NO_ID, textKey, timeKey } from '../engine/key.ts';
import type { KvEntry } from '../engine/kv.ts';
import { PREFIX } from '../engine/key-prefixes.ts';

/**
 * Tasks and their indexes. Every key begins with the space of the workspace. A task is kept under its running
 * number, in seven characters, by which the indexes name it: at the end of the key, or as the value.
 */
export const taskKey = {
  records: (space: string): string => PREFIX.task + space,
  record: (space: string, num: string): string => PREFIX.task + space + num,
  /** @param id packed */
  byId: (space: string, id: string): string => PREFIX.taskById + space + id,
  column: (space: string, statusId: string): string => PREFIX.taskByColumn + space + idKey(statusId),
  ofBoard: (space: string, boardId: string): string => PREFIX.taskOfBoard + space + idKey(boardId),
  /** Null: of nobody. */
  ofAssignee: (space: string, memberId: string | null): string =>
    PREFIX.taskOfAssignee + space + (memberId === null ? NO_ID : idKey(memberId)),
  /** Null: without tags. */
  ofTag: (space: string, tagId: string | null): string =>
    PREFIX.taskOfTag + space + (tagId === null ? NO_ID : idKey(tagId)),
  byUpdate: (space: string): string => PREFIX.taskByUpdate + space,
  external: (space: string, externalId: string): string => PREFIX.taskByExternalId + space + textKey(externalId),
};

/** What is kept in an index whose keys end with the number. */
export const IN_KEY = '';

/** The packed number of the task that an entry of any index stands for, or an entry of the records. */
export function numOf([key, value]: KvEntry): string {
  return value === IN_KEY || typeof value === 'object' ? key.slice(-INTEGER) : (value as string);
}

/** Where only one task may stand. */
export function uniqueKeys(space: string, task: Task): string[] {
  const keys = [taskKey.byId(space, idKey(task.id)), placeKey(space, task)];
  if (task.externalId !== null) keys.push(taskKey.external(space, task.externalId));
  return keys;
}

/** Where many tasks stand, told apart by the number behind. */
export function indexKeys(space: string, task: Task): string[] {
  const num = integerKey(task.num);
  const keys = [taskKey.ofBoard(space, task.boardId) + num, taskKey.byUpdate(space) + timeKey(task.updatedAt) + num];
  for (const member of noneOr(task.assignees)) keys.push(taskKey.ofAssignee(space, member) + num);
  for (const tag of noneOr(task.tags)) keys.push(taskKey.ofTag(space, tag) + num);
  return keys;
}

/** Keys that a change of a task adds, and keys that it leaves. */
export interface KeyChanges {
  readonly fresh: readonly string[];
  readonly stale: readonly string[];
}

/** Of those where only one task may stand. Both tasks have the same id. */
export function changedUniqueKeys(space: string, before: Task, after: Task): KeyChanges {
  const keys = { fresh: [] as string[], stale: [] as string[] };
  if (before.statusId !== after.statusId || before.statusOrderKey !== after.statusOrderKey) {
    keys.stale.push(placeKey(space, before));
    keys.fresh.push(placeKey(space, after));
  }
  if (before.externalId !== after.externalId) {
    if (before.externalId !== null) keys.stale.push(taskKey.external(space, before.externalId));
    if (after.externalId !== null) keys.fresh.push(taskKey.external(space, after.externalId));
  }
  return keys;
}

/** Of those where many tasks stand. Both tasks have the same number. Keys of fields that are the same are not made. */
export function changedIndexKeys(space: string, before: Task, after: Task): KeyChanges {
  const num = integerKey(after.num);
  const keys = { fresh: [] as string[], stale: [] as string[] };
  const change = <T>(old: readonly T[], now: readonly T[], prefix: (value: T) => string): void => {
    for (const value of old) if (!now.includes(value)) keys.stale.push(prefix(value) + num);
    for (const value of now) if (!old.includes(value)) keys.fresh.push(prefix(value) + num);
  };
  if (before.boardId !== after.boardId) {
    change([before.boardId], [after.boardId], (id) => taskKey.ofBoard(space, id));
  }
  if (before.updatedAt !== after.updatedAt) {
    change([before.updatedAt], [after.updatedAt], (at) => taskKey.byUpdate(space) + timeKey(at));
  }
  if (!sameItems(before.assignees, after.assignees)) {
    change(noneOr(before.assignees), noneOr(after.assignees), (id) => taskKey.ofAssignee(space, id));
  }
  if (!sameItems(before.tags, after.tags)) {
    change(noneOr(before.tags), noneOr(after.tags), (id) => taskKey.ofTag(space, id));
  }
  return keys;
}

function placeKey(space: string, task: Task): string {
  return taskKey.column(space, task.statusId) + integerKey(task.statusOrderKey);
}

function sameItems(a: readonly string[], b: readonly string[]): boolean {
  return a === b || (a.length === b.length && a.every((item, i) => item === b[i]));
}

function noneOr(ids: readonly string[]): readonly (string | null)[] {
  return ids.length === 0 ? [null] : ids;
}
