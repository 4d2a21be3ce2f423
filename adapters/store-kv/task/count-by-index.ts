import type { TaskFilter, TaskScope } from '../../../core/model/content/task-query.ts';
import { ENTRY_COST } from '../engine/costs.ts';
import { type KvReader, prefixRange, scan } from '../engine/kv.ts';
import { lastInteger, timeKey } from '../engine/key.ts';
import { NumberSet } from '../engine/number-set.ts';
import type { Yielder } from '../../../core/ports/yielder.ts';
import { isSmallPart, metadataPrefixes, SMALL, updates } from './access-path.ts';
import { countEntries, countNumbered } from './count-entries.ts';
import { numOf, taskKey } from './index-keys.ts';
import type { TaskReader } from './reader.ts';
import { countsOfBoards, countsOfWorkspace, type StatusCount } from './status-counts.ts';

/** The index of a filter: its entries are the tasks that match. */
interface Index {
  /** The number of entries, counted up to about `most`. */
  size(most: number): Promise<number>;
  /** The cost of looking one task up, in units of a `Yielder`. */
  readonly cost: number;
  /** @param num encoded */
  has(num: string): boolean;
}

/**
 * The number of tasks on the boards in scope that match a filter without negation. Null if there is no index for it, or
 * if reading the matching tasks is cheaper.
 */
export async function countIndexed(
  reader: TaskReader,
  scope: TaskScope | null,
  filter: TaskFilter,
  yielder: Yielder,
): Promise<number | null> {
  if ('ids' in filter) return filter.orWithout === undefined ? countOnBoards(reader, scope, filter.ids, yielder) : null;
  const index = indexFor(reader, filter, yielder);
  if (index === null || reader.countedTo() !== undefined) return null;
  if (scope === null) return index.size(Infinity);
  const columns = await columnsOf(reader, scope, index, yielder);
  if (columns === null) return null;
  const [seen, unseen] = columns;
  if (unseen.tasks === 0) return index.size(Infinity);
  const isFewSeen = seen.tasks < unseen.tasks;
  const fewer = isFewSeen ? seen : unseen;
  // Reading fewer tasks than this is cheaper than looking the visible tasks up in the index.
  const least = isFewSeen ? fewer.tasks * Math.max(1, index.cost) : fewer.tasks;
  const all = await index.size(isFewSeen ? least : Infinity);
  if (all < least) return null;
  const matching = await countIn(reader, fewer.columns, index, yielder);
  return isFewSeen ? matching : all - matching;
}

/** How many of these tasks are on the boards in scope. */
async function countOnBoards(
  reader: TaskReader,
  scope: TaskScope | null,
  ids: ReadonlySet<string>,
  yielder: Yielder,
): Promise<number> {
  let count = 0;
  for (const id of ids) {
    const pause = yielder.step();
    if (pause !== null) await pause;
    const task = reader.byId(id);
    if (task !== undefined && (scope === null || scope.boards.has(task.boardId))) count += 1;
  }
  return count;
}

interface Columns {
  readonly columns: StatusCount[];
  tasks: number;
}

type SeenAndUnseen = readonly [seen: Columns, unseen: Columns];

/**
 * The non-empty columns of the boards in scope, and those of all other boards. Where the boards in scope are few, and
 * have no more than half of the tasks, the others are not looked at. Null if there are very many columns, but few
 * entries of the index.
 */
async function columnsOf(
  reader: TaskReader,
  scope: TaskScope,
  index: Index,
  yielder: Yielder,
): Promise<SeenAndUnseen | null> {
  if (isSmallPart(reader, scope)) {
    const found = await columnsAmong(countsOfBoards(reader, scope.boards), scope, index, yielder);
    if (found === null) return null;
    const [seen] = found;
    if (seen.tasks <= reader.lastNum() / 2) return [seen, { columns: [], tasks: Infinity }];
  }
  return columnsAmong(countsOfWorkspace(reader), scope, index, yielder);
}

async function columnsAmong(
  counts: Iterable<StatusCount>,
  { boards }: TaskScope,
  index: Index,
  yielder: Yielder,
): Promise<SeenAndUnseen | null> {
  const seen: Columns = { columns: [], tasks: 0 };
  const unseen: Columns = { columns: [], tasks: 0 };
  let visited = 0;
  for (const column of counts) {
    visited += 1;
    if (visited === SMALL && (await index.size(SMALL)) < SMALL) return null;
    const pause = yielder.step(ENTRY_COST);
    if (pause !== null) await pause;
    const side = boards.has(column.boardId) ? seen : unseen;
    side.columns.push(column);
    side.tasks += column.count;
  }
  return [seen, unseen];
}

async function countIn(
  { kv, workspaceKey }: TaskReader,
  columns: readonly StatusCount[],
  index: Index,
  yielder: Yielder,
): Promise<number> {
  let count = 0;
  for (const { statusId } of columns) {
    for (const entry of scan(kv, prefixRange(taskKey.column(workspaceKey, statusId)))) {
      const pause = yielder.step(index.cost);
      if (pause !== null) await pause;
      if (index.has(numOf(entry))) count += 1;
    }
  }
  return count;
}

function indexFor(reader: TaskReader, filter: TaskFilter, yielder: Yielder): Index | null {
  const { kv, workspaceKey } = reader;
  if ('text' in filter || 'overdueOn' in filter || 'onBoards' in filter || 'ids' in filter) return null;
  if ('anyMetadata' in filter) {
    const prefixes = metadataPrefixes(workspaceKey, filter);
    return prefixes === null ? null : byPrefixes(kv, prefixes, yielder);
  }
  if (!('in' in filter)) return filter.field === 'updatedAt' ? byUpdate(reader, filter, yielder) : null;
  if (filter.field !== 'assignees' && filter.field !== 'tags') return null;
  const { field, ended } = filter;
  // Whether all assignments of a task have ended can only be read from the task itself.
  if (filter.in.includes(null) && ended !== undefined && ended.size > 0) return null;
  const of = field === 'tags' ? taskKey.ofTag : taskKey.ofAssignee;
  const prefixes = [...new Set(filter.in)].map((id) => of(workspaceKey, id));
  return byPrefixes(kv, prefixes, yielder);
}

/**
 * The index of tasks with an entry under one of these prefixes. Its size takes O(entries), however many prefixes there
 * are.
 */
function byPrefixes(kv: KvReader, prefixes: readonly string[], yielder: Yielder): Index {
  return {
    async size(most) {
      const [first, ...others] = prefixes;
      if (first === undefined) return 0;
      let count = await countNumbered(kv, first, yielder, most);
      /** Tasks that were counted under a prefix other than the first. */
      const counted = new NumberSet();
      for (const prefix of others) {
        for (const entry of scan(kv, prefixRange(prefix))) {
          if (count >= most) return count;
          const pause = yielder.step(costOf(1));
          if (pause !== null) await pause;
          const num = numOf(entry);
          if (counted.add(lastInteger(num)) && kv.get(first + num) === undefined) count += 1;
        }
      }
      return count;
    },
    cost: costOf(prefixes.length),
    has: (num) => prefixes.some((prefix) => kv.get(prefix + num) !== undefined),
  };
}

/** The cost of reading an entry and looking up this many keys at most. */
function costOf(keys: number): number {
  return ENTRY_COST + keys * LOOK_UP_COST;
}

const LOOK_UP_COST = 0.5;

function byUpdate(reader: TaskReader, filter: Extract<TaskFilter, { from?: string }>, yielder: Yielder): Index | null {
  const { kv, workspaceKey } = reader;
  const range = updates(workspaceKey, filter);
  if (range === null) return null;
  return {
    size: (most) => countEntries(kv, range, yielder, most),
    cost: 1,
    has(num) {
      const task = reader.task(num);
      if (task === undefined) return false;
      const key = taskKey.byUpdate(workspaceKey) + timeKey(task.updatedAt) + num;
      return key >= range.from && key < range.to;
    },
  };
}
