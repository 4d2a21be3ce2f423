import type { Document } from 'mongodb';
import { compareSortValues, type SortKey, type SortValue, type TaskQuery } from '../../core/task/query.ts';
import type { Ask } from './access.ts';
import { TASK_EXTRAS } from './documents.ts';
import { boardsOf } from './task-filter.ts';
import { behind, computedFor, sortOf } from './task-sort.ts';

/** Columns that are read by the index of their places. What stands in more of them is put in order by the server. */
const BY_INDEX = 32;

/** Ids that such a command may name: it says for each column what is visible. */
const MOST_IDS = 10_000;

type Column = readonly [order: SortValue, statusId: string];

/** Whether it is sorted by column, then by place in it. */
export function isByColumn({ sort }: Pick<TaskQuery, 'sort'>): boolean {
  const [first, second, third] = sort.map(({ field }) => field);
  return first === 'statusOrder' && second === 'statusId' && third === 'statusOrderKey';
}

/**
 * Asks for one column behind the other in one command. The server reads a column when those before have not
 * filled the list, so that a page costs the same however many tasks there are. Null when no column is left.
 */
export function askByColumn(query: TaskQuery, filter: Document): Ask | null {
  const columns = columnsOf(query);
  const ids = query.scope === null ? 0 : boardsOf(query.scope.boards, query.filters).length + query.scope.hidden.size;
  const count = Math.max(1, Math.min(BY_INDEX, Math.floor(MOST_IDS / (ids + 1))));
  const parts = columns.slice(0, count).map((column) => askColumn(query, filter, column));
  const others = columns.slice(count).map(([, statusId]) => statusId);
  if (others.length > 0) parts.push(askTogether(query, filter, others));
  const [first, ...next] = parts;
  return first === undefined || next.length === 0 ? (first ?? null) : { ...first, next };
}

function askColumn({ sort, after, limit, workspaceId }: TaskQuery, filter: Document, column: Column): Ask {
  const { descending } = sort[2] as SortKey;
  const [order, statusId] = column;
  const inColumn = [filter, { statusId: { $eq: statusId } }];
  const isWithin = after !== null && compareSortValues([order, statusId], after, sort.slice(0, 2)) === 0;
  if (isWithin) inColumn.push({ statusOrderKey: { [descending ? '$lt' : '$gt']: after[2] } });
  return {
    from: 'tasks',
    filter: { $and: inColumn },
    sort: { statusOrderKey: descending ? -1 : 1 },
    limit,
    project: TASK_EXTRAS,
    workspaceId,
  };
}

function askTogether(query: TaskQuery, filter: Document, statusIds: readonly string[]): Ask {
  return {
    from: 'tasks',
    filter: { $and: [filter, { statusId: { $in: [...statusIds] } }] },
    compute: [...computedFor(query), { $match: behind(query) ?? {} }],
    sort: sortOf(query),
    limit: query.limit,
    project: { ...TASK_EXTRAS, statusOrder: 0 },
    workspaceId: query.workspaceId,
  };
}

/** Those that the filters leave, in order, from that of the last task of the part before on. */
function columnsOf({ sort, statusOrder, filters, after }: TaskQuery): Column[] {
  const inColumn = sort.slice(0, 2);
  const asked = filters.flatMap((filter) =>
    'in' in filter && filter.field === 'statusId' && filter.not !== true ? [new Set<unknown>(filter.in)] : [],
  );
  return Array.from(statusOrder ?? [], ([id, order]): Column => [order, id])
    .filter(([, id]) => asked.every((ids) => ids.has(id)))
    .filter((column) => after === null || compareSortValues(column, after, inColumn) >= 0)
    .sort((a, b) => compareSortValues(a, b, inColumn));
}
