import type { Document } from 'mongodb';
import {
  asSeen,
  compareSortValues,
  idsNamed,
  isByColumn,
  NO_PLACE,
  type SeenTask,
  type SortKey,
  type SortValue,
  sortValues,
  type TaskQuery,
} from '../../../core/model/content/task-query.ts';
import type { ColumnRange } from '../../../core/ports/tasks.ts';
import { fromTaskDoc, WITHOUT_DERIVED, type DocumentReader } from '../query/documents.ts';
import { allOf, type Doc, type Query } from '../query/query.ts';
import { AS_SEEN_WITHOUT_BOARD, boardsOf, querySorted, visibleTasks, withoutBoardFilter } from './task-query.ts';

/**
 * The number of columns in the first command of a list, which reads them by the index of places. Each further command
 * has twice as many.
 */
const FIRST_COLUMNS = 32;
const MAX_COLUMNS = 256;
/** The most commands of one list. The last one also has the server sort the tasks of all remaining columns. */
const MAX_COMMANDS = 8;

/** The most ids in one command, which repeats the ids of what is visible for each column. */
const MAX_IDS = 10_000;

/**
 * With more tasks without their board than this, a list by number may be read by the index of numbers, which also leads
 * to other tasks.
 */
const MANY_WITHOUT_BOARD = 1_000;

type QueryColumn = readonly [order: SortValue, statusId: string];

/**
 * Up to `limit` tasks of visible boards in order, and as many of those that are visible through their own page alone,
 * in one round trip. The first of both together are found.
 */
export async function findTasks(documents: DocumentReader, query: TaskQuery): Promise<readonly SeenTask[]> {
  const { scope, limit } = query;
  if (limit <= 0) return [];
  const answers = [findOnBoards(documents, query)];
  const withoutBoard = queryWithoutBoard(query);
  if (withoutBoard !== null) answers.push(documents.query(withoutBoard));
  const found = (await Promise.all(answers)).flat().map((doc) => asSeen(fromTaskDoc(doc), scope));
  if (withoutBoard === null) return found;
  return found
    .map((task) => ({ task, values: sortValues(task, query) }))
    .filter(({ values }) => query.after === null || compareSortValues(values, query.after, query.sort) > 0)
    .sort((a, b) => compareSortValues(a.values, b.values, query.sort))
    .slice(0, limit)
    .map(({ task }) => task);
}

/**
 * The query for the tasks that are visible through their own page alone. The server reads all of them by their ids and
 * sorts them, unless they are many and it finds them sooner by number. If another key comes before their place in the
 * sort, all are returned unsorted, as they are shown without a place.
 */
function queryWithoutBoard(query: TaskQuery): Query | null {
  const filter = withoutBoardFilter(query);
  const sorted = behindColumns(query);
  if (filter === null || sorted === null) return null;
  const { workspaceId, sort } = sorted;
  if (sort.some(({ field }) => field in NO_PLACE || field === 'statusOrder'))
    return { from: 'tasks', workspaceId, filter, project: WITHOUT_DERIVED };
  const isInOrder = sort[0]!.field === 'num' && query.scope!.withoutBoard.size > MANY_WITHOUT_BOARD;
  return querySorted(sorted, filter, isInOrder ? [] : [AS_SEEN_WITHOUT_BOARD]);
}

/**
 * The query for tasks without a place. In a list by position they come after all columns, or before them if it
 * descends, and are sorted by the other keys alone. Null when none can follow the last task of the previous page.
 */
function behindColumns(query: TaskQuery): TaskQuery | null {
  const { sort, after } = query;
  if (!isByColumn(query)) return query;
  const isInColumn = after !== null && after[0] !== null;
  if (isInColumn && sort[0]!.descending) return null;
  return { ...query, sort: sort.slice(3), after: isInColumn ? null : (after?.slice(3) ?? null) };
}

async function findOnBoards(documents: DocumentReader, query: TaskQuery): Promise<readonly Doc[]> {
  const filter = visibleTasks(query);
  if (filter === null) return [];
  if (isByColumn(query)) return findByColumn(documents, query, filter);
  const sorted = querySorted(query, filter);
  return sorted === null ? [] : documents.query(sorted);
}

/**
 * Lists tasks column after column, many columns in one command. The server reads a column only while those before it
 * have not filled the list, so a page costs the same however many tasks there are.
 */
async function findByColumn(documents: DocumentReader, query: TaskQuery, filter: Document): Promise<readonly Doc[]> {
  const columns = columnsOf(query);
  const most = mostColumns(query);
  const found: Doc[] = [];
  for (let command = 0; columns.length > 0 && found.length < query.limit; command += 1) {
    const left = { ...query, limit: query.limit - found.length };
    const some = columns.splice(0, Math.min(most, FIRST_COLUMNS << command));
    const parts = some.map((column) => queryColumn(left, filter, column));
    const others = command + 1 < MAX_COMMANDS ? [] : columns.splice(0).map(([, statusId]) => statusId);
    const together = others.length === 0 ? null : querySorted(left, allOf([filter, { statusId: { $in: others } }]));
    if (together !== null) parts.push(together);
    const [first, ...next] = parts as [Query, ...Query[]];
    found.push(...(await documents.query(next.length === 0 ? first : { ...first, next })));
  }
  return found;
}

/** The most columns in one command. */
function mostColumns({ scope, filters }: TaskQuery): number {
  const ids = scope === null ? 0 : boardsOf(scope.boards, filters).length + scope.hidden.size;
  return Math.max(1, Math.min(MAX_COLUMNS, Math.floor(MAX_IDS / (ids + 1))));
}

function queryColumn({ sort, after, limit, workspaceId }: TaskQuery, filter: Document, column: QueryColumn): Query {
  const { descending } = sort[2] as SortKey;
  const [order, statusId] = column;
  const inColumn = [filter, { statusId: { $eq: statusId } }];
  const isWithin = after !== null && compareSortValues([order, statusId], after, sort.slice(0, 2)) === 0;
  if (isWithin) inColumn.push({ statusOrderKey: { [descending ? '$lt' : '$gt']: after[2] } });
  return queryPlaced(workspaceId, allOf(inColumn), descending, limit);
}

/** The tasks of one status from a key on. */
export function queryRange(workspaceId: string, statusId: string, range: ColumnRange): Query {
  const { from, descending = false, limit } = range;
  const bound = from === undefined ? {} : { statusOrderKey: descending ? { $lte: from } : { $gte: from } };
  const filter = { statusId: { $eq: statusId }, ...bound };
  return queryPlaced(workspaceId, filter, descending, limit);
}

/** The tasks of one column in order. */
function queryPlaced(workspaceId: string, filter: Document, descending: boolean, limit: number): Query {
  const sort = { statusOrderKey: descending ? -1 : 1 } as const;
  return { from: 'tasks', workspaceId, filter, sort, limit, project: WITHOUT_DERIVED };
}

/** The columns that the filters allow, in order, starting with the column of the last task of the previous page. */
function columnsOf({ sort, statusOrder, filters, after }: TaskQuery): QueryColumn[] {
  const inColumn = sort.slice(0, 2);
  const asked = idsNamed(filters, 'statusId');
  return Array.from(statusOrder ?? [], ([id, order]): QueryColumn => [order, id])
    .filter(([, id]) => asked === null || asked.includes(id))
    .filter((column) => after === null || compareSortValues(column, after, inColumn) >= 0)
    .sort((a, b) => compareSortValues(a, b, inColumn));
}
