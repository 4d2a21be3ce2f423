import type { Task } from '../../../core/model/content/task.ts';
import { type Doc, type Query, queryById, type Write } from '../query/query.ts';
import type { LayeredMap, Layers } from '../write/layers.ts';

/** A status with the board it is on: where a task is counted. */
export type StatusAddress = Pick<Task, 'workspaceId' | 'boardId' | 'statusId'>;

/** By board, then by status. One without tasks may be absent. */
export type CountsByBoard = ReadonlyMap<string, ReadonlyMap<string, number>>;

/**
 * The counts of a board are a document of `locks`, which every write transaction writes to anyway: so keeping them costs
 * no command. They are written under the lock of the workspace alone.
 */
const PREFIX = 'counts/';
/** The character after the slash. */
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

interface Change {
  readonly status: StatusAddress;
  readonly by: number;
}

/** What the writers of one transaction change about the counts of statuses. It is sent with the locks. */
export class CountChanges {
  readonly #changes: LayeredMap<Change>;
  /** The documents of boards that are removed. */
  readonly #removed: LayeredMap<true>;

  constructor(layers: Layers) {
    this.#changes = layers.map();
    this.#removed = layers.map();
  }

  add(status: StatusAddress, by: number): void {
    const key = `${status.boardId} ${status.statusId}`;
    this.#changes.set(key, { status, by: (this.#changes.get(key)?.by ?? 0) + by });
  }

  /** The counts of a board go with it. @returns the removal of their document, to be sent before the other writes */
  remove(workspaceId: string, boardId: string): Write {
    const _id = countsId(workspaceId, boardId);
    for (const [key, { status }] of this.#changes.entries()) {
      if (status.boardId === boardId) this.#changes.set(key, { status, by: 0 });
    }
    this.#removed.set(_id, true);
    return { deleteOne: { filter: { _id } } };
  }

  /** Counts as they were read, with these changes. */
  applied(stored: Map<string, Map<string, number>>, workspaceId: string): CountsByBoard {
    for (const boardId of stored.keys()) {
      if (this.#removed.has(countsId(workspaceId, boardId))) stored.delete(boardId);
    }
    for (const { status, by } of this.#changes.entries().values()) {
      if (status.workspaceId !== workspaceId) continue;
      const counts = stored.get(status.boardId) ?? new Map<string, number>();
      stored.set(status.boardId, counts.set(status.statusId, (counts.get(status.statusId) ?? 0) + by));
    }
    return stored;
  }

  /** One for each board that is changed. What comes to nothing is not kept. */
  writes(): Write[] {
    const byBoard = new Map<string, Record<string, unknown>>();
    for (const { status, by } of this.#changes.entries().values()) {
      if (by === 0) continue;
      const id = countsId(status.workspaceId, status.boardId);
      const field = `tasks.${status.statusId}`;
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
