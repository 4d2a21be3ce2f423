import type { Document } from 'mongodb';
import {
  asSeen,
  compareSortValues,
  idsNamed,
  isByColumn,
  type SeenTask,
  type SortKey,
  type SortValue,
  sortValues,
  type TaskQuery,
} from '../../../core/model/content/task-query.ts';
import type { ColumnRange } from '../../../core/ports/store.ts';
import { fromTaskDoc, WITHOUT_DERIVED, type DocumentReader } from '../query/documents.ts';
import { allOf, type Query } from '../query/query.ts';
import { boardsOf, querySorted, visibleTasks, withoutBoardFilter } from './task-query.ts';

/** Columns that are read by the index of places, one by one. Those after them are sorted by the server. */
const MAX_COLUMNS = 32;

/** Most ids in one command, which repeats for each column what is visible. */
const MAX_IDS = 10_000;

type Column = readonly [order: SortValue, statusId: string];

/**
 * Two queries in one round trip: up to `limit` tasks of visible boards in order, and all tasks that are visible
 * through their own page alone. The first of both together are found.
 */
export async function findTasks(documents: DocumentReader, query: TaskQuery): Promise<readonly SeenTask[]> {
  const { workspaceId, scope, limit } = query;
  if (limit <= 0) return [];
  const queries: Query[] = [];
  const visible = queryVisible(query);
  if (visible !== null) queries.push(visible);
  const withoutBoard = withoutBoardFilter(query);
  if (withoutBoard !== null)
    queries.push({ from: 'tasks', workspaceId, filter: withoutBoard, project: WITHOUT_DERIVED });
  const answers = await Promise.all(queries.map((query) => documents.query(query)));
  const found = answers.flat().map((doc) => asSeen(fromTaskDoc(doc), scope));
  if (withoutBoard === null) return found;
  return found
    .map((task) => ({ task, values: sortValues(task, query) }))
    .filter(({ values }) => query.after === null || compareSortValues(values, query.after, query.sort) > 0)
    .sort((a, b) => compareSortValues(a.values, b.values, query.sort))
    .slice(0, limit)
    .map(({ task }) => task);
}

function queryVisible(query: TaskQuery): Query | null {
  const filter = visibleTasks(query);
  if (filter === null) return null;
  return isByColumn(query) ? queryByColumn(query, filter) : querySorted(query, filter);
}

/**
 * Lists tasks column after column in one command. The server reads a column only while those before it have not
 * filled the list, so a page costs the same however many tasks there are. Null when no column is left.
 */
function queryByColumn(query: TaskQuery, filter: Document): Query | null {
  const columns = columnsOf(query);
  const ids = query.scope === null ? 0 : boardsOf(query.scope.boards, query.filters).length + query.scope.hidden.size;
  const count = Math.max(1, Math.min(MAX_COLUMNS, Math.floor(MAX_IDS / (ids + 1))));
  const parts = columns.slice(0, count).map((column) => queryColumn(query, filter, column));
  const others = columns.slice(count).map(([, statusId]) => statusId);
  const together = others.length === 0 ? null : querySorted(query, allOf([filter, { statusId: { $in: others } }]));
  if (together !== null) parts.push(together);
  const [first, ...next] = parts;
  return first === undefined || next.length === 0 ? (first ?? null) : { ...first, next };
}

function queryColumn({ sort, after, limit, workspaceId }: TaskQuery, filter: Document, column: Column): Query {
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

/** The columns that the filters leave, in order, from that of the last task of the previous page on. */
function columnsOf({ sort, statusOrder, filters, after }: TaskQuery): Column[] {
  const inColumn = sort.slice(0, 2);
  const asked = idsNamed(filters, 'statusId');
  return Array.from(statusOrder ?? [], ([id, order]): Column => [order, id])
    .filter(([, id]) => asked === null || asked.includes(id))
    .filter((column) => after === null || compareSortValues(column, after, inColumn) >= 0)
    .sort((a, b) => compareSortValues(a, b, inColumn));
}
