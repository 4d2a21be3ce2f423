import type { AnyBulkWriteOperation, Document, Filter } from 'mongodb';
import type { DocumentCollection } from '../connection/collections.ts';
import type { WorkspaceCounters, WorkspaceState } from '../structure/workspace-state.ts';
import type { Place, StatusCounts } from '../task/status-counts.ts';

/** A document. Records keep their fields; the id is `_id`. */
export interface Doc extends Document {
  _id: string;
}

/** A query. Those of one turn of the event loop go to the server in one command where that is possible. */
export interface Query {
  readonly from: DocumentCollection;
  /** Every value is wrapped in `$eq` or `$in`, so that input of a caller can never be read as an operator. */
  readonly filter: Filter<Doc>;
  readonly sort?: Readonly<Record<string, 1 | -1>>;
  readonly limit?: number;
  readonly project?: Readonly<Record<string, 0 | 1>>;
  /** Stages between filter and sort. */
  readonly stagesBefore?: readonly Document[];
  /** Stages at the end. */
  readonly stagesAfter?: readonly Document[];
  /** Further queries of the same collection, run in this order until `limit` documents are found. */
  readonly next?: readonly Query[];
  /** Other collections that those stages read. */
  readonly alsoReads?: readonly DocumentCollection[];
  /** The workspace that the answer depends on. A write transaction locks it first. */
  readonly workspaceId?: string;
  /** Set when at most one document is looked for: by its id, or by a value that is unique. */
  readonly one?: { readonly id: string } | { readonly field: string; readonly value: string };
}

export function queryById(from: DocumentCollection, id: string, workspaceId?: string): Query {
  return { from, filter: { _id: { $eq: id }, ...within(workspaceId) }, limit: 1, one: { id }, ...of(workspaceId) };
}

export function queryByValue(from: DocumentCollection, field: string, value: string, workspaceId?: string): Query {
  const filter = { ...within(workspaceId), [field]: { $eq: value } };
  return { from, filter, limit: 1, one: { field, value }, ...of(workspaceId) };
}

export function within(workspaceId: string | undefined): { readonly workspaceId?: { readonly $eq: string } } {
  return workspaceId === undefined ? {} : { workspaceId: { $eq: workspaceId } };
}

function of(workspaceId: string | undefined): { readonly workspaceId?: string } {
  return workspaceId === undefined ? {} : { workspaceId };
}

export type Write = AnyBulkWriteOperation<Doc>;

export function upsert(_id: string, update: Record<string, Record<string, unknown>>): Write {
  return { updateOne: { filter: { _id }, update, upsert: true } };
}

/** One snapshot of the database, as the repositories read it. */
export interface DocumentReader {
  query(query: Query): Promise<readonly Doc[]>;
  /** In a write transaction from memory where it is known already. */
  byId(from: DocumentCollection, id: string, workspaceId?: string): Promise<Doc | null>;
  /** By a value that is unique. */
  byValue(from: DocumentCollection, field: string, value: string, workspaceId?: string): Promise<Doc | null>;
  workspaceState(workspaceId: string): Promise<WorkspaceState | null>;
  counters(workspaceId: string): Promise<WorkspaceCounters>;
  /** How many tasks each status holds, by board, as far as they are counted. @param boardIds null: all of the workspace */
  statusCounts(workspaceId: string, boardIds: readonly string[] | null): Promise<StatusCounts>;
  /** In a write transaction: it conflicts with every other that takes the lock too, unless both only read a user. */
  lock(lock: Lock): Promise<void>;
}

export type Lock =
  | { readonly usersRead: readonly string[] }
  | { readonly userChanged: string }
  /** Of anything else that excludes itself alone. */
  | { readonly name: string };

/** A write transaction, as the repositories use it. Writes are buffered until a query could miss them. */
export interface DocumentWriter extends DocumentReader {
  insert(from: DocumentCollection, doc: Doc): Promise<void>;
  /** Inserts the document or replaces the one with its id. */
  replace(from: DocumentCollection, doc: Doc): Promise<void>;
  remove(from: DocumentCollection, id: string, workspaceId?: string): Promise<void>;
  /** A write to documents that are not known one by one, or that are never read by id. */
  writeUnindexed(from: DocumentCollection, write: Write, workspaceId?: string): Promise<void>;
  setWorkspaceState(workspaceId: string, state: WorkspaceState): Promise<void>;
  /** Adds to the count of a status, with the commit. */
  changeCount(place: Place, by: number): Promise<void>;
  /** Values made from what this transaction reads and writes; rolled back with the writer that set them. */
  readonly transactionCache: TransactionCache;
}

export interface TransactionCache {
  get(key: string): unknown;
  /** @param value undefined: no longer known */
  set(key: string, value: unknown): void;
}

/** Of what is no transaction, or not yet. */
export const EMPTY_CACHE: TransactionCache = { get: () => undefined, set: () => undefined };
