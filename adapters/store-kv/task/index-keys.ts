import { metadataText } from '../../../core/model/metadata.ts';
import type { Task } from '../../../core/model/content/task.ts';
import type { MetadataIndex } from '../../../core/model/workspace/workspace.ts';
import { idKey, INTEGER, integerKey, NO_ID, textKey, timeKey } from '../engine/key.ts';
import type { KvEntry } from '../engine/kv.ts';
import { PREFIX } from '../engine/key-prefixes.ts';

/**
 * The keys of tasks and their indexes. Each has the short key of the workspace after its prefix. A task is stored by
 * its running number, encoded in seven characters; index entries refer to it at the end of the key or in the value.
 */
export const taskKey = {
  records: (workspaceKey: string): string => PREFIX.task + workspaceKey,
  record: (workspaceKey: string, num: string): string => PREFIX.task + workspaceKey + num,
  /** @param id packed */
  byId: (workspaceKey: string, id: string): string => PREFIX.taskById + workspaceKey + id,
  column: (workspaceKey: string, statusId: string): string => PREFIX.taskByColumn + workspaceKey + idKey(statusId),
  ofBoard: (workspaceKey: string, boardId: string): string => PREFIX.taskOfBoard + workspaceKey + idKey(boardId),
  /** Null: unassigned. */
  ofAssignee: (workspaceKey: string, memberId: string | null): string =>
    PREFIX.taskOfAssignee + workspaceKey + (memberId === null ? NO_ID : idKey(memberId)),
  /** Null: without tags. */
  ofTag: (workspaceKey: string, tagId: string | null): string =>
    PREFIX.taskOfTag + workspaceKey + (tagId === null ? NO_ID : idKey(tagId)),
  byUpdate: (workspaceKey: string): string => PREFIX.taskByUpdate + workspaceKey,
  /** The prefix of all entries of an index of metadata; with null, of all such indexes. */
  metadataIndex: (workspaceKey: string, index: string | null): string =>
    PREFIX.taskOfMetadata + workspaceKey + (index === null ? '' : idKey(index)),
  /** Texts contain no NUL: with one at the end, no text in a key is a prefix of another. */
  ofMetadata: (workspaceKey: string, index: string, text: string): string =>
    `${taskKey.metadataIndex(workspaceKey, index)}${textKey(text)}\0`,
  /** Tasks that others are linked to as blocking them. */
  blocked: (workspaceKey: string): string => PREFIX.taskBlocked + workspaceKey,
  external: (workspaceKey: string, externalId: string): string =>
    PREFIX.taskByExternalId + workspaceKey + textKey(externalId),
};

/**
 * The value of an index entry whose key ends with the number. In the index by update the value may instead be the end
 * of the history of the task.
 */
export const IN_KEY = '';

/** The encoded number of the task of an index entry or record. */
export function numOf([key, value]: KvEntry): string {
  return value === IN_KEY || typeof value === 'object' ? key.slice(-INTEGER) : (value as string);
}

/** The keys of a task in unique indexes. */
export function uniqueKeys(workspaceKey: string, task: Task): string[] {
  const keys = [taskKey.byId(workspaceKey, idKey(task.id)), placeKey(workspaceKey, task)];
  if (task.externalId !== null) keys.push(taskKey.external(workspaceKey, task.externalId));
  return keys;
}

/** The key of a task in the index by update. */
export function updateKey(workspaceKey: string, { updatedAt, num }: Task): string {
  return taskKey.byUpdate(workspaceKey) + timeKey(updatedAt) + integerKey(num);
}

/** The keys of a task in secondary indexes, which end with its number. */
export function indexKeys(workspaceKey: string, task: Task, indexes: Indexes = NONE): string[] {
  const num = integerKey(task.num);
  const keys = [taskKey.ofBoard(workspaceKey, task.boardId) + num, updateKey(workspaceKey, task)];
  for (const member of noneOr(task.assignees)) keys.push(taskKey.ofAssignee(workspaceKey, member) + num);
  for (const tag of noneOr(task.tags)) keys.push(taskKey.ofTag(workspaceKey, tag) + num);
  if (isBlocked(task)) keys.push(taskKey.blocked(workspaceKey) + num);
  return [...keys, ...metadataKeys(workspaceKey, task, indexes)];
}

function isBlocked({ links }: Task): boolean {
  return links?.blockedBy !== undefined;
}

/** The indexes of metadata of the workspace. */
export type Indexes = readonly MetadataIndex[];
const NONE: Indexes = [];

/** The keys of a task in the indexes of metadata. */
export function metadataKeys(workspaceKey: string, { metadata, num }: Task, indexes: Indexes): string[] {
  if (metadata === undefined) return [];
  return indexes.flatMap(({ key, id }) =>
    Object.hasOwn(metadata, key)
      ? [taskKey.ofMetadata(workspaceKey, id, metadataText(metadata[key]!)) + integerKey(num)]
      : [],
  );
}

/** Index keys that a change of a task adds and removes. */
export interface KeyChanges {
  readonly fresh: readonly string[];
  readonly stale: readonly string[];
}

/** Changes of unique index keys. Both tasks have the same id. */
export function changedUniqueKeys(workspaceKey: string, before: Task, after: Task): KeyChanges {
  const keys = { fresh: [] as string[], stale: [] as string[] };
  if (before.statusId !== after.statusId || before.statusOrderKey !== after.statusOrderKey) {
    keys.stale.push(placeKey(workspaceKey, before));
    keys.fresh.push(placeKey(workspaceKey, after));
  }
  if (before.externalId !== after.externalId) {
    if (before.externalId !== null) keys.stale.push(taskKey.external(workspaceKey, before.externalId));
    if (after.externalId !== null) keys.fresh.push(taskKey.external(workspaceKey, after.externalId));
  }
  return keys;
}

/** Up to this many values are compared without building a set. */
const MAX_COMPARED = 8;

/** The values that are not among others. O(values): a task may have 1,000 tags. */
function without<T>(all: readonly T[], others: readonly T[]): readonly T[] {
  if (others.length <= MAX_COMPARED) return all.filter((value) => !others.includes(value));
  const known = new Set(others);
  return all.filter((value) => !known.has(value));
}

/** Changes of secondary index keys. Both tasks have the same number. Keys of equal fields are not built. */
export function changedIndexKeys(workspaceKey: string, before: Task, after: Task, indexes: Indexes = NONE): KeyChanges {
  const num = integerKey(after.num);
  const keys = { fresh: [] as string[], stale: [] as string[] };
  const change = <T>(old: readonly T[], now: readonly T[], prefix: (value: T) => string): void => {
    for (const value of without(old, now)) keys.stale.push(prefix(value) + num);
    for (const value of without(now, old)) keys.fresh.push(prefix(value) + num);
  };
  if (before.boardId !== after.boardId) {
    change([before.boardId], [after.boardId], (id) => taskKey.ofBoard(workspaceKey, id));
  }
  if (before.updatedAt !== after.updatedAt) {
    change([before.updatedAt], [after.updatedAt], (at) => taskKey.byUpdate(workspaceKey) + timeKey(at));
  }
  if (!sameItems(before.assignees, after.assignees)) {
    change(noneOr(before.assignees), noneOr(after.assignees), (id) => taskKey.ofAssignee(workspaceKey, id));
  }
  if (!sameItems(before.tags, after.tags)) {
    change(noneOr(before.tags), noneOr(after.tags), (id) => taskKey.ofTag(workspaceKey, id));
  }
  if (isBlocked(before) !== isBlocked(after)) {
    (isBlocked(after) ? keys.fresh : keys.stale).push(taskKey.blocked(workspaceKey) + num);
  }
  if (indexes.length > 0 && before.metadata !== after.metadata) {
    const [old, now] = [before, after].map((task) => metadataKeys(workspaceKey, task, indexes));
    keys.stale.push(...old!.filter((key) => !now!.includes(key)));
    keys.fresh.push(...now!.filter((key) => !old!.includes(key)));
  }
  return keys;
}

function placeKey(workspaceKey: string, task: Task): string {
  return taskKey.column(workspaceKey, task.statusId) + integerKey(task.statusOrderKey);
}

function sameItems(a: readonly string[], b: readonly string[]): boolean {
  return a === b || (a.length === b.length && a.every((item, i) => item === b[i]));
}

function noneOr(ids: readonly string[]): readonly (string | null)[] {
  return ids.length === 0 ? [null] : ids;
}
