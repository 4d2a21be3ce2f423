import type { Task } from '../../../core/model/content/task.ts';
import type { DocumentCollection } from '../connection/collections.ts';
import type { StructureState, WorkspaceCounters, WorkspaceState } from './documents.ts';
import { type Doc, inParts, type Query, type Write } from './query.ts';

/** A status with the board it is on: where a task is counted. */
export type StatusAddress = Pick<Task, 'workspaceId' | 'boardId' | 'statusId'>;

/** By board, then by status. One without tasks may be absent. */
export type CountsByBoard = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** One snapshot of the database, as the repositories read it. */
export interface DocumentReader {
  query(query: Query): Promise<readonly Doc[]>;
  /** For one document. In a write transaction answered from memory if it is known already. */
  one(query: Query): Promise<Doc | null>;
  workspaceState(workspaceId: string): Promise<StructureState>;
  counters(workspaceId: string): Promise<WorkspaceCounters>;
  /** How many tasks each status holds, by board, as far as they are counted. @param boardIds null: all of the workspace */
  statusCounts(workspaceId: string, boardIds: readonly string[] | null): Promise<CountsByBoard>;
  /** In a write transaction: it conflicts with every other that takes the lock too, unless both only read a user. */
  lock(lock: Lock): Promise<void>;
  /** Values made from what was read and written; rolled back with the writer that set them. */
  readonly transactionCache: TransactionCache;
}

export type Lock =
  | { readonly usersRead: readonly string[] }
  | { readonly userChanged: string }
  /** An exclusive lock by name. */
  | { readonly name: string };

/** A write transaction, as the repositories use it. Writes are buffered until a query could miss them. */
export interface DocumentWriter extends DocumentReader {
  workspaceState(workspaceId: string): Promise<WorkspaceState>;
  insert(from: DocumentCollection, doc: Doc): Promise<void>;
  /** Inserts the document or replaces the one with its id. */
  replace(from: DocumentCollection, doc: Doc): Promise<void>;
  remove(from: DocumentCollection, id: string, workspaceId?: string): Promise<void>;
  /** A write to documents that `one` is never asked for. */
  update(from: DocumentCollection, write: Write, workspaceId?: string): Promise<void>;
  /** Changes fields of a state that was read before. */
  changeWorkspaceState(workspaceId: string, fields: Partial<WorkspaceState>): Promise<void>;
  /** Adds to the count of a status, with the commit. */
  changeCount(status: StatusAddress, by: number): Promise<void>;
}

export interface TransactionCache {
  get(key: string): unknown;
  /** @param value undefined: no longer known */
  set(key: string, value: unknown): void;
}

/** How many documents a query finds, counted by the server. */
export async function countOf(documents: DocumentReader, query: Query): Promise<number> {
  const stagesAfter = [{ $group: { _id: null, count: { $sum: 1 } } }];
  const [found] = await documents.query({ ...query, stagesAfter });
  return (found?.['count'] as number | undefined) ?? 0;
}

/** The documents with these ids, as far as they are there. */
export async function byIds(
  documents: DocumentReader,
  from: DocumentCollection,
  ids: readonly string[],
  workspaceId?: string,
): Promise<readonly Doc[]> {
  const found: Doc[] = [];
  for (const some of inParts(ids)) {
    found.push(...(await documents.query({ from, workspaceId, filter: { _id: { $in: some } } })));
  }
  return found;
}
