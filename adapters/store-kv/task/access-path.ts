import type { TaskFilter, TaskQuery } from '../../../core/model/task-query.ts';
import { integerKey, isTimestamp, timeKey } from '../engine/key.ts';
import { successor, type KvRange, prefixRange, scan } from '../engine/kv.ts';
import type { Yielder } from '../../event-loop/yield.ts';
import { taskKey } from './index-keys.ts';
import type { TaskReader } from './reader.ts';

/** Where the tasks that a query may find are looked for: a superset of what it finds. */
export interface AccessPath {
  readonly by: 'num' | 'externalId' | 'statusId' | 'assignees' | 'tags' | 'updatedAt' | 'boardId' | 'workspace';
  readonly ranges: readonly KvRange[];
  /** Ids of tasks besides those in the ranges. */
  readonly alone: readonly string[];
  /** Whether each range is in order of `num`. */
  readonly byNum: boolean;
}

type Wanted = Pick<TaskQuery, 'scope' | 'filters'>;

/** Entries looked at when sources are compared. */
const COMPARED = 512;
const MOST_BOARDS = 256;
/** An entry of an index is read faster than a record. */
const ENTRY = 0.25;

/**
 * The sources that the filters allow, the one that covers everything in scope last. A filter applies to
 * tasks as seen: one that is seen alone has no board, status or tags, so it is in a source by these only
 * where "none" is asked for.
 */
export function sources(reader: TaskReader, { scope, filters }: Wanted): AccessPath[] {
  const { space } = reader;
  const alone = Array.from(scope?.alone ?? []);
  const found: AccessPath[] = [];
  for (const filter of filters) {
    if ('text' in filter || 'overdueOn' in filter) continue;
    if (!('in' in filter)) {
      const range = filter.field === 'updatedAt' ? updates(space, filter) : null;
      // Those seen alone are shown with another time than the index has them by.
      if (range !== null) found.push({ by: 'updatedAt', ranges: [range], alone, byNum: false });
      continue;
    }
    if (filter.not === true) continue;
    const values = [...new Set(filter.in)] as (string | null)[];
    if (filter.field === 'num') {
      const ranges = filter.in.map((value) => only(taskKey.record(space, integerKey(Number(value)))));
      found.push({ by: 'num', ranges, alone: [], byNum: false });
    } else if (filter.field === 'externalId') {
      const ranges = values.map((value) => only(taskKey.external(space, String(value))));
      found.push({ by: 'externalId', ranges, alone: [], byNum: true });
    } else if (filter.field === 'statusId') {
      const ranges = values.map((value) => prefixRange(taskKey.column(space, String(value))));
      found.push({ by: 'statusId', ranges, alone: [], byNum: false });
    } else if (filter.field === 'assignees') {
      const ended = values.includes(null) ? [...(filter.ended ?? [])] : [];
      const ranges = [...values, ...ended].map((value) => prefixRange(taskKey.ofAssignee(space, value)));
      found.push({ by: 'assignees', ranges, alone: [], byNum: true });
    } else if (filter.field === 'tags') {
      const ranges = values.map((value) => prefixRange(taskKey.ofTag(space, value)));
      found.push({ by: 'tags', ranges, alone: values.includes(null) ? alone : [], byNum: true });
    } else if (filter.field === 'boardId') {
      const visible = scope === null ? values : values.filter((value) => scope.boards.has(String(value)));
      const ranges = visible.map((value) => prefixRange(taskKey.ofBoard(space, String(value))));
      found.push({ by: 'boardId', ranges, alone: [], byNum: true });
    }
  }
  found.push(everything(reader, scope, alone));
  return found;
}

/** The source with the fewest entries, as far as that can be told cheaply. */
export function mostSelective(reader: TaskReader, all: readonly AccessPath[]): AccessPath {
  if (all.length <= 2) return all[0] as AccessPath;
  let best = all[0] as AccessPath;
  let least = COMPARED;
  for (const source of all.slice(0, -1)) {
    const size = source.alone.length + reader.sizeUpTo(least, source.ranges);
    if (size < least) [best, least] = [source, size];
  }
  return best;
}

/** Whether a source has fewer entries than a bound. */
export async function isSmall(
  reader: TaskReader,
  source: AccessPath,
  bound: number,
  yielder: Yielder,
): Promise<boolean> {
  if (source.by === 'workspace') return false;
  let size = 0;
  for (const range of source.ranges) {
    for (const _entry of scan(reader.kv, range)) {
      size += 1;
      if (size >= bound) return false;
      const pause = yielder.step(ENTRY);
      if (pause !== null) await pause;
    }
  }
  return true;
}

/** Goes board by board when the scope holds a small part of the workspace. */
function everything(reader: TaskReader, scope: TaskQuery['scope'], alone: readonly string[]): AccessPath {
  const { space } = reader;
  if (scope !== null && scope.boards.size <= MOST_BOARDS) {
    const many = scope.boards.size * 2;
    if (reader.sizeUpTo(many + 1, [reader.boards()]) > many) {
      const ranges = Array.from(scope.boards, (id) => prefixRange(taskKey.ofBoard(space, id)));
      return { by: 'workspace', ranges, alone, byNum: true };
    }
  }
  return { by: 'workspace', ranges: [prefixRange(taskKey.records(space))], alone: [], byNum: true };
}

/** The entries of the index by update for a range of times. Null where a bound is no timestamp. */
export function updates(space: string, { from, to }: Extract<TaskFilter, { from?: string }>): KvRange | null {
  if ((from !== undefined && !isTimestamp(from)) || (to !== undefined && !isTimestamp(to))) return null;
  const prefix = taskKey.byUpdate(space);
  const all = prefixRange(prefix);
  return {
    from: from === undefined ? all.from : prefix + timeKey(from),
    to: to === undefined ? all.to : prefixRange(prefix + timeKey(to)).to,
  };
}

function only(key: string): KvRange {
  return { from: key, to: successor(key) };
}
