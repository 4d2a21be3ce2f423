import type { TaskConditions, TaskFilter, TaskQuery, TaskScope } from '../../../core/model/content/task-query.ts';
import { ENTRY_COST } from '../engine/costs.ts';
import { integerKey, isTimestamp, timeKey } from '../engine/key.ts';
import { successor, type KvRange, prefixRange, scan } from '../engine/kv.ts';
import type { Yielder } from '../../../core/ports/yielder.ts';
import { taskKey } from './index-keys.ts';
import type { TaskReader } from './reader.ts';

/**
 * An access path of the query planner: index ranges that contain all tasks that a query may match, and maybe others.
 */
export interface AccessPath {
  readonly by:
    | 'num'
    | 'externalId'
    | 'statusId'
    | 'assignees'
    | 'tags'
    | 'metadata'
    | 'links'
    | 'ids'
    | 'updatedAt'
    | 'boardId'
    | 'boardsOrTasks'
    | 'scope'
    | 'workspace';
  readonly ranges: readonly KvRange[];
  /** Ids of further tasks outside of the ranges. */
  readonly withoutBoard: readonly string[];
  /** Whether each range is in the order of `num`. */
  readonly byNum: boolean;
}

/** An access path with fewer entries than this is read whole without considering others. */
export const SMALL = 512;
const MAX_BOARDS = 256;

/**
 * The access paths that the filters allow; the last one covers the whole scope. Filters apply to tasks as seen: a task
 * visible only through its own page has no board, status or tags, so a path by one of these contains it only if it is
 * for "none".
 */
export function accessPaths(reader: TaskReader, { scope, filters }: TaskConditions): AccessPath[] {
  const withoutBoard = Array.from(scope?.withoutBoard ?? []);
  const found: AccessPath[] = [];
  for (const filter of filters) {
    const path = pathOf(reader, filter, scope, withoutBoard);
    if (path !== null) found.push(path);
  }
  found.push(everything(reader, scope, withoutBoard));
  return found;
}

/** Whether a path covers all tasks in scope, without a filter. */
export function coversScope({ by }: Pick<AccessPath, 'by'>): boolean {
  return by === 'scope' || by === 'workspace';
}

/** Whether the tasks of a status, or with a tag, are in scope. All of them are on the board of the first one. */
function isOnSeenBoard(reader: TaskReader, scope: TaskQuery['scope'], range: KvRange): boolean {
  if (scope === null) return true;
  const [first] = reader.kv.range(range, 1, false);
  const task = first && reader.at(first);
  return task !== undefined && scope.boards.has(task.boardId);
}

/** The path for a filter. Null if no index has the matching tasks, or if most tasks match. */
function pathOf(
  reader: TaskReader,
  filter: TaskFilter,
  scope: TaskQuery['scope'],
  withoutBoard: readonly string[],
): AccessPath | null {
  const { workspaceKey } = reader;
  if ('text' in filter || 'overdueOn' in filter) return null;
  if ('onBoards' in filter) return boardsOrTasksPath(workspaceKey, filter);
  if ('anyMetadata' in filter) return metadataPath(workspaceKey, filter);
  if ('ids' in filter) return linkedPath(workspaceKey, filter);
  if ('in' in filter) return filter.not === true ? null : valuesPath(reader, filter, scope, withoutBoard);
  const range = filter.field === 'updatedAt' ? updates(workspaceKey, filter) : null;
  if (range === null) return null;
  // Tasks in `withoutBoard` may be shown with an earlier `updatedAt` than the indexed one, never with a later one.
  return { by: 'updatedAt', ranges: [range], withoutBoard: filter.to === undefined ? [] : withoutBoard, byNum: false };
}

function boardsOrTasksPath(
  workspaceKey: string,
  { onBoards, orTasks, not }: Extract<TaskFilter, { onBoards: unknown }>,
): AccessPath | null {
  if (not === true || onBoards.size > MAX_BOARDS) return null;
  const ranges = Array.from(onBoards, (id) => prefixRange(taskKey.ofBoard(workspaceKey, id)));
  return { by: 'boardsOrTasks', ranges, withoutBoard: [...orTasks], byNum: true };
}

function metadataPath(workspaceKey: string, filter: Extract<TaskFilter, { anyMetadata: unknown }>): AccessPath | null {
  const prefixes = metadataPrefixes(workspaceKey, filter);
  if (prefixes === null || filter.not === true) return null;
  return { by: 'metadata', ranges: prefixes.map(prefixRange), withoutBoard: [], byNum: true };
}

/** The tasks with one of some values in a field; null for a field that has no index. */
function valuesPath(
  reader: TaskReader,
  filter: Extract<TaskFilter, { in: unknown }>,
  scope: TaskQuery['scope'],
  withoutBoard: readonly string[],
): AccessPath | null {
  const { workspaceKey } = reader;
  const values = [...new Set(filter.in)] as (string | null)[];
  switch (filter.field) {
    case 'num': {
      const ranges = filter.in.map((value) => only(taskKey.record(workspaceKey, integerKey(Number(value)))));
      return { by: 'num', ranges, withoutBoard: [], byNum: false };
    }
    case 'externalId': {
      const ranges = values.map((value) => only(taskKey.external(workspaceKey, String(value))));
      return { by: 'externalId', ranges, withoutBoard: [], byNum: true };
    }
    case 'statusId': {
      const columns = values.map((value) => prefixRange(taskKey.column(workspaceKey, String(value))));
      const ranges = columns.filter((column) => isOnSeenBoard(reader, scope, column));
      return { by: 'statusId', ranges, withoutBoard: [], byNum: false };
    }
    case 'assignees': {
      const ended = values.includes(null) ? [...(filter.ended ?? [])] : [];
      const ranges = [...values, ...ended].map((value) => prefixRange(taskKey.ofAssignee(workspaceKey, value)));
      return { by: 'assignees', ranges, withoutBoard: [], byNum: true };
    }
    case 'tags': {
      const ranges = values.flatMap((value) => {
        const range = prefixRange(taskKey.ofTag(workspaceKey, value));
        return value === null || isOnSeenBoard(reader, scope, range) ? [range] : [];
      });
      return { by: 'tags', ranges, withoutBoard: values.includes(null) ? withoutBoard : [], byNum: true };
    }
    case 'boardId': {
      const visible = scope === null ? values : values.filter((value) => scope.boards.has(String(value)));
      const ranges = visible.map((value) => prefixRange(taskKey.ofBoard(workspaceKey, String(value))));
      return { by: 'boardId', ranges, withoutBoard: [], byNum: true };
    }
    default:
      return null;
  }
}

/** The path of tasks that the filter names, or of tasks that others block; null for a filter that most tasks match. */
function linkedPath(workspaceKey: string, filter: Extract<TaskFilter, { ids: unknown }>): AccessPath | null {
  const { ids, orWithout, not = false } = filter;
  if (orWithout === undefined) return not ? null : { by: 'ids', ranges: [], withoutBoard: [...ids], byNum: false };
  if (!not || orWithout !== 'blockedBy') return null;
  return { by: 'links', ranges: [prefixRange(taskKey.blocked(workspaceKey))], withoutBoard: [], byNum: true };
}

/** The access path with the fewest entries, as far as that can be determined cheaply. */
export function mostSelective(reader: TaskReader, all: readonly AccessPath[]): AccessPath {
  if (all.length <= 2) return all[0] as AccessPath;
  let best = all[0] as AccessPath;
  let least = SMALL;
  for (const source of all.slice(0, -1)) {
    const size = source.withoutBoard.length + reader.sizeUpTo(least, source.ranges);
    if (size < least) [best, least] = [source, size];
  }
  return best;
}

/** Whether an access path has fewer entries than a bound. */
export async function isSmall(
  reader: TaskReader,
  source: AccessPath,
  bound: number,
  yielder: Yielder,
): Promise<boolean> {
  if (source.by === 'workspace') return false;
  let size = 0;
  for (const range of source.ranges) {
    const between = yielder.step(ENTRY_COST);
    if (between !== null) await between;
    for (const _entry of scan(reader.kv, range)) {
      size += 1;
      if (size >= bound) return false;
      const pause = yielder.step(ENTRY_COST);
      if (pause !== null) await pause;
    }
  }
  return true;
}

/** The whole scope: board by board if that is a small part of the workspace, else all records. */
function everything(reader: TaskReader, scope: TaskQuery['scope'], withoutBoard: readonly string[]): AccessPath {
  if (scope !== null && isSmallPart(reader, scope)) return pathOfScope(reader, scope, withoutBoard);
  return pathOfWorkspace(reader);
}

/** Whether the boards in scope are few, and a small part of those of the workspace. */
export function isSmallPart(reader: TaskReader, { boards }: TaskScope): boolean {
  return boards.size <= MAX_BOARDS && !isLargePart(reader, boards);
}

/** Whether boards are half of those of the workspace, or more, which are counted without being read: they are large. */
export function isLargePart(reader: TaskReader, boards: ReadonlySet<string>): boolean {
  return !reader.kv.hasMore(reader.boards(), boards.size * 2);
}

/** All records, in scope or not. */
export function pathOfWorkspace({ workspaceKey }: TaskReader): AccessPath {
  return { by: 'workspace', ranges: [prefixRange(taskKey.records(workspaceKey))], withoutBoard: [], byNum: true };
}

/** The whole scope, board by board. */
export function pathOfScope(
  { workspaceKey }: TaskReader,
  scope: TaskScope,
  withoutBoard: readonly string[] = Array.from(scope.withoutBoard),
): AccessPath {
  const ranges = Array.from(scope.boards, (id) => prefixRange(taskKey.ofBoard(workspaceKey, id)));
  return { by: 'scope', ranges, withoutBoard, byNum: true };
}

/** The range of the index by `updatedAt` for a range of times. Null if a bound is not a timestamp. */
export function updates(workspaceKey: string, { from, to }: Extract<TaskFilter, { from?: string }>): KvRange | null {
  if ((from !== undefined && !isTimestamp(from)) || (to !== undefined && !isTimestamp(to))) return null;
  const prefix = taskKey.byUpdate(workspaceKey);
  const all = prefixRange(prefix);
  return {
    from: from === undefined ? all.from : prefix + timeKey(from),
    to: to === undefined ? all.to : prefixRange(prefix + timeKey(to)).to,
  };
}

/** The entries of the tasks that match, without negation; null if an index is missing. Each prefix occurs once. */
export function metadataPrefixes(
  workspaceKey: string,
  { anyMetadata }: Extract<TaskFilter, { anyMetadata: unknown }>,
): string[] | null {
  const prefixes = new Set<string>();
  for (const { text, index } of anyMetadata) {
    if (text === null || index === undefined) return null;
    prefixes.add(taskKey.ofMetadata(workspaceKey, index, text));
  }
  return [...prefixes];
}

function only(key: string): KvRange {
  return { from: key, to: successor(key) };
}
