import type { Task } from '../../../core/model/task.ts';
import { type Doc, type Query, queryById } from '../query/query.ts';

export type Place = Pick<Task, 'workspaceId' | 'boardId' | 'statusId'>;

/** By board, then by status. One without tasks may be absent. */
export type StatusCounts = ReadonlyMap<string, ReadonlyMap<string, number>>;

/**
 * The counts of a board are a document of `locks`, which every write transaction writes to anyway: so keeping them costs
 * no command. They are written under the lock of the workspace alone.
 */
const PREFIX = 'counts/';
/** The character behind the slash. */
const BEHIND = '0';

/** The document with the counts of a board. */
export function countsId(workspaceId: string, boardId: string): string {
  return `${PREFIX}${workspaceId}/${boardId}`;
}

/** The documents of a workspace. */
export function countsOf(workspaceId: string): { readonly $gte: string; readonly $lt: string } {
  const start = `${PREFIX}${workspaceId}`;
  return { $gte: `${start}/`, $lt: `${start}${BEHIND}` };
}

/** @param boardIds null: all of the workspace */
export function queryCounts(workspaceId: string, boardIds: readonly string[] | null): Query {
  if (boardIds === null) return { from: 'locks', filter: { _id: countsOf(workspaceId) } };
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
