import type { Task } from '../../../core/model/task.ts';
import { idKey, INTEGER, integerKey, NO_ID, textKey, timeKey } from '../engine/key.ts';
import type { KvEntry } from '../engine/kv.ts';
import { PREFIX } from '../engine/key-prefixes.ts';

/**
 * The keys of tasks and their indexes. Each has the short key of the workspace after its prefix. A task is stored by
 * its running number, encoded in seven characters; index entries refer to it at the end of the key or in the value.
 */
export const taskKey = {
  records: (space: string): string => PREFIX.task + space,
  record: (space: string, num: string): string => PREFIX.task + space + num,
  /** @param id packed */
  byId: (space: string, id: string): string => PREFIX.taskById + space + id,
  column: (space: string, statusId: string): string => PREFIX.taskByColumn + space + idKey(statusId),
  ofBoard: (space: string, boardId: string): string => PREFIX.taskOfBoard + space + idKey(boardId),
  /** Null: unassigned. */
  ofAssignee: (space: string, memberId: string | null): string =>
    PREFIX.taskOfAssignee + space + (memberId === null ? NO_ID : idKey(memberId)),
  /** Null: without tags. */
  ofTag: (space: string, tagId: string | null): string =>
    PREFIX.taskOfTag + space + (tagId === null ? NO_ID : idKey(tagId)),
  byUpdate: (space: string): string => PREFIX.taskByUpdate + space,
  external: (space: string, externalId: string): string => PREFIX.taskByExternalId + space + textKey(externalId),
};

/** The value of an index entry whose key ends with the number. */
export const IN_KEY = '';

/** The encoded number of the task of an index entry or record. */
export function numOf([key, value]: KvEntry): string {
  return value === IN_KEY || typeof value === 'object' ? key.slice(-INTEGER) : (value as string);
}

/** The keys of a task in unique indexes. */
export function uniqueKeys(space: string, task: Task): string[] {
  const keys = [taskKey.byId(space, idKey(task.id)), placeKey(space, task)];
  if (task.externalId !== null) keys.push(taskKey.external(space, task.externalId));
  return keys;
}

/** The keys of a task in secondary indexes, which end with its number. */
export function indexKeys(space: string, task: Task): string[] {
  const num = integerKey(task.num);
  const keys = [taskKey.ofBoard(space, task.boardId) + num, taskKey.byUpdate(space) + timeKey(task.updatedAt) + num];
  for (const member of noneOr(task.assignees)) keys.push(taskKey.ofAssignee(space, member) + num);
  for (const tag of noneOr(task.tags)) keys.push(taskKey.ofTag(space, tag) + num);
  return keys;
}

/** Index keys that a change of a task adds and removes. */
export interface KeyChanges {
  readonly fresh: readonly string[];
  readonly stale: readonly string[];
}

/** Changes of unique index keys. Both tasks have the same id. */
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

/** Changes of secondary index keys. Both tasks have the same number. Keys of equal fields are not built. */
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
