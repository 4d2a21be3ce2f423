import type { Filter } from 'mongodb';
import {
  compileFilters,
  isByBoardOrStatus,
  type SeenTask,
  type TaskFilter,
  type TaskConditions,
  type TaskQuery,
} from '../../../core/model/content/task-query.ts';
import { countOf, type CountsByBoard, type DocumentReader, type ColumnAddress } from '../query/documents.ts';
import { allOf, type Doc, type Query, queryById, type BulkWrite } from '../query/query.ts';
import type { WriterMap, WriterLayers } from '../write/identity-map.ts';
import { boardsOf, conditionOf, indexedValues, visibleTasks, withoutBoardFilter } from './task-query.ts';

/**
 * The counts of a board are a document of `locks`, a collection that every write transaction writes to anyway: so they
 * cost no further command. They are written under the lock of the workspace alone.
 */
const PREFIX = 'counts/';
/** The character after the slash. */
const AFTER_SLASH = '0';

/** The document with the counts of a board. */
export function countsId(workspaceId: string, boardId: string): string {
  return `${PREFIX}${workspaceId}/${boardId}`;
}

/** The ids of the documents of a workspace. */
export function countIdRange(workspaceId: string): { readonly $gte: string; readonly $lt: string } {
  const start = `${PREFIX}${workspaceId}`;
  return { $gte: `${start}/`, $lt: `${start}${AFTER_SLASH}` };
}

/** @param boardIds null: all of the workspace */
export function queryCounts(workspaceId: string, boardIds: readonly string[] | null): Query {
  if (boardIds === null) return { from: 'locks', filter: { _id: countIdRange(workspaceId) } };
  const ids = boardIds.map((id) => countsId(workspaceId, id));
  const [id, ...others] = ids;
  return id !== undefined && others.length === 0
    ? queryById('locks', id)
    : { from: 'locks', filter: { _id: { $in: ids } } };
}

export function countsIn(docs: readonly Doc[]): Map<string, Map<string, number>> {
  return new Map(
    docs.map(({ _id, tasks = {} }) => [
      _id.slice(_id.lastIndexOf('/') + 1),
      new Map(Object.entries(tasks as Readonly<Record<string, number>>)),
    ]),
  );
}

interface CountChange {
  readonly column: ColumnAddress;
  readonly by: number;
}

/** The changes to counts of statuses by the writers of one transaction. They are sent with the locks. */
export class CountChanges {
  readonly #changes: WriterMap<CountChange>;
  /** The ids of the documents of removed boards. */
  readonly #removed: WriterMap<true>;

  constructor(layers: WriterLayers) {
    this.#changes = layers.map();
    this.#removed = layers.map();
  }

  add(column: ColumnAddress, by: number): void {
    const key = `${column.boardId} ${column.statusId}`;
    this.#changes.set(key, { column, by: (this.#changes.get(key)?.by ?? 0) + by });
  }

  /**
   * Removes the counts of a removed board.
   *
   * @returns the write that removes their document, to be sent before the other writes
   */
  remove(workspaceId: string, boardId: string): BulkWrite {
    const _id = countsId(workspaceId, boardId);
    for (const [key, { column }] of this.#changes.entries()) {
      if (column.boardId === boardId) this.#changes.set(key, { column, by: 0 });
    }
    this.#removed.set(_id, true);
    return { deleteOne: { filter: { _id } } };
  }

  /** Counts as they were read, with these changes. */
  applied(stored: Map<string, Map<string, number>>, workspaceId: string): CountsByBoard {
    for (const boardId of stored.keys()) {
      if (this.#removed.has(countsId(workspaceId, boardId))) stored.delete(boardId);
    }
    for (const { column, by } of this.#changes.entries().values()) {
      if (column.workspaceId !== workspaceId) continue;
      const counts = stored.get(column.boardId) ?? new Map<string, number>();
      stored.set(column.boardId, counts.set(column.statusId, (counts.get(column.statusId) ?? 0) + by));
    }
    return stored;
  }

  /** One write for each board whose counts change. A status whose changes cancel out is left out. */
  writes(): BulkWrite[] {
    const byBoard = new Map<string, Record<string, unknown>>();
    for (const { column, by } of this.#changes.entries().values()) {
      if (by === 0) continue;
      const id = countsId(column.workspaceId, column.boardId);
      const field = `tasks.${column.statusId}`;
      byBoard.set(id, { ...byBoard.get(id), [field]: sum(`$${field}`, by) });
    }
    return Array.from(byBoard, ([_id, fields]) => ({
      updateOne: { filter: { _id }, update: [{ $set: fields }], upsert: true },
    }));
  }
}

function sum(field: string, by: number) {
  const count = { $add: [{ $ifNull: [field, 0] }, by] };
  return { $let: { vars: { count }, in: { $cond: [{ $eq: ['$$count', 0] }, '$$REMOVE', '$$count'] } } };
}

type CountQuery = TaskConditions & Pick<TaskQuery, 'workspaceId'>;
type Scoped = CountQuery & { readonly scope: NonNullable<TaskQuery['scope']> };

/**
 * Sums the counts of statuses if there are no filters other than those for boards and statuses. With one filter that
 * has an index, it counts by the index if every board with tasks is in scope. Otherwise the server reads the tasks.
 */
export async function countTasks(documents: DocumentReader, query: CountQuery): Promise<number> {
  const { workspaceId, scope } = query;
  if (scope !== null) {
    const scoped = { ...query, scope };
    const counting = countOnBoards(documents, scoped);
    if (counting !== null) {
      const [counted, own] = await Promise.all([counting, countOfOwnPages(documents, scoped)]);
      if (counted !== null) return counted + own;
    }
  }
  const wanted = [visibleTasks(query), withoutBoardFilter(query)].filter((each) => each !== null);
  const counts = await Promise.all(
    wanted.map((each) => countOf(documents, { from: 'tasks', workspaceId, filter: each })),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

/** The number of tasks on the boards in scope. Null if neither counts nor an index suffice. */
function countOnBoards(documents: DocumentReader, query: Scoped): Promise<number | null> | null {
  const [filter, ...others] = query.filters;
  if (query.filters.every(isByBoardOrStatus)) return countByStatuses(documents, query);
  return others.length === 0 && hasIndex(filter!) ? countByIndex(documents, query, filter!) : null;
}

function hasIndex(filter: TaskFilter): boolean {
  if ('anyMetadata' in filter) return filter.not !== true && indexedValues(filter) !== null;
  if (!('in' in filter)) return 'field' in filter && filter.field === 'updatedAt';
  return (filter.field === 'assignees' || filter.field === 'tags') && filter.not !== true && !filter.in.includes(null);
}

/** The number of tasks on the boards in scope that match filters for boards and statuses. */
async function countByStatuses(documents: DocumentReader, query: Scoped): Promise<number> {
  const { workspaceId, scope, filters } = query;
  const boards = boardsOf(scope.boards, filters);
  if (boards.length === 0) return 0;
  const counts = await documents.statusCounts(workspaceId, boards);
  const matches = compileFilters(filters);
  let count = 0;
  for (const [boardId, ofBoard] of counts) {
    for (const [statusId, tasks] of ofBoard) if (matches({ boardId, statusId } as SeenTask)) count += tasks;
  }
  return count;
}

/** The number of tasks that match a filter, from its index. Null if some of them may be hidden. */
async function countByIndex(
  documents: DocumentReader,
  { workspaceId, scope }: Scoped,
  filter: TaskFilter,
): Promise<number | null> {
  for (const [boardId, ofBoard] of await documents.statusCounts(workspaceId, null)) {
    if (!scope.boards.has(boardId) && [...ofBoard.values()].some((tasks) => tasks > 0)) return null;
  }
  return countOf(documents, { from: 'tasks', workspaceId, filter: conditionOf(filter) });
}

/** The correction for tasks with pages of their own to the count on the boards in scope. */
async function countOfOwnPages(documents: DocumentReader, query: Scoped): Promise<number> {
  const { workspaceId, scope } = query;
  const visible = scope.hidden.size === 0 ? null : visibleTasks({ ...query, scope: { ...scope, hidden: new Set() } });
  const hidden = visible === null ? null : allOf([visible, { _id: { $in: [...scope.hidden] } }]);
  const count = async (filter: Filter<Doc> | null) =>
    filter === null ? 0 : countOf(documents, { from: 'tasks', workspaceId, filter });
  const [less, more] = await Promise.all([count(hidden), count(withoutBoardFilter(query))]);
  return more - less;
}
