import type { AnyBulkWriteOperation, Document, Filter } from 'mongodb';
import type { CollectionName } from '../connection/collections.ts';

/** A document. Records keep their fields; the id is `_id`. */
export interface Doc extends Document {
  _id: string;
}

/** One query. What is asked in one turn of the event loop goes to the server together where that is possible. */
export interface Query {
  readonly from: CollectionName;
  /** Values only ever stand behind an operator, so that none can be taken for one. */
  readonly filter: Filter<Doc>;
  readonly sort?: Readonly<Record<string, 1 | -1>>;
  readonly limit?: number;
  readonly project?: Readonly<Record<string, 0 | 1>>;
  /** Stages between filter and sort. */
  readonly stagesBefore?: readonly Document[];
  /** Stages at the end. */
  readonly stagesAfter?: readonly Document[];
  /** What is asked of the same collection, one after the other, as long as there is less than `limit`. */
  readonly next?: readonly Query[];
  /** Other collections that those stages read. */
  readonly alsoReads?: readonly CollectionName[];
  /** The workspace that the answer depends on. */
  readonly workspaceId?: string;
  /** Given when at most the one document with this id, or this value of a field, is asked for. */
  readonly one?: { readonly id: string } | { readonly field: string; readonly value: string };
}

/** The question for one document by id. */
export function queryById(from: CollectionName, id: string, workspaceId?: string): Query {
  return { from, filter: { _id: { $eq: id }, ...within(workspaceId) }, limit: 1, one: { id }, ...of(workspaceId) };
}

/** The question for the one document with a value that is unique. */
export function queryByValue(from: CollectionName, field: string, value: string, workspaceId?: string): Query {
  const filter = { ...within(workspaceId), [field]: { $eq: value } };
  return { from, filter, limit: 1, one: { field, value }, ...of(workspaceId) };
}

export function within(workspaceId: string | undefined): { readonly workspaceId?: { readonly $eq: string } } {
  return workspaceId === undefined ? {} : { workspaceId: { $eq: workspaceId } };
}

function of(workspaceId: string | undefined): { readonly workspaceId?: string } {
  return workspaceId === undefined ? {} : { workspaceId };
}

/**
 * What every write transaction that reads or writes anything of a workspace writes to. It outlives the
 * workspace, so that one made anew with the same id repeats no revision.
 */
export interface WorkspaceState {
  /** Of the structure. 0: there never was one. */
  readonly revision: number;
  readonly open: boolean;
  /** The revision that the workspace was made with. */
  readonly born: number;
  /** The last running number given. */
  readonly nums: number;
  /** How many tasks are kept; null until somebody has asked. */
  readonly tally: number | null;
}

export const EMPTY_STATE: WorkspaceState = { revision: 0, open: false, born: 0, nums: 0, tally: null };

export type Write = AnyBulkWriteOperation<Doc>;

/** One snapshot of the database, as the repositories use it. */
export interface DocumentReader {
  readonly writing: boolean;
  query(query: Query): Promise<readonly Doc[]>;
  /** By id; in a write from memory where the transaction has it already. */
  byId(from: CollectionName, id: string, workspaceId?: string): Promise<Doc | null>;
  /** By a value that at most one document has. */
  byValue(from: CollectionName, field: string, value: string, workspaceId?: string): Promise<Doc | null>;
  space(workspaceId: string): Promise<WorkspaceState | null>;
  /** What is kept count of in a workspace. */
  counters(workspaceId: string): Promise<Pick<WorkspaceState, 'nums' | 'tally'>>;
  /** In a write: what follows depends on these users staying as they are. */
  lockUsersForRead(userIds: readonly string[]): void;
}

/** A write transaction, as the repositories use it. Writes are held back until a query could miss them. */
export interface DocumentWriter extends DocumentReader {
  insert(from: CollectionName, doc: Doc): Promise<void>;
  /** Puts a document in the place of that with the same id. */
  replace(from: CollectionName, doc: Doc): Promise<void>;
  remove(from: CollectionName, id: string, workspaceId?: string): Promise<void>;
  /** A write to documents that are not known one by one, or not read by id. */
  other(from: CollectionName, write: Write, workspaceId?: string): Promise<void>;
  setWorkspaceState(workspaceId: string, space: WorkspaceState): Promise<void>;
  /** Makes this write conflict with every one that depends on the user. */
  lockUserForChange(userId: string): Promise<void>;
  /** Makes this write conflict with every other that claims the same. */
  lockExclusive(name: string): Promise<void>;
  /** Values transactionCache from what this transaction reads and writes; forgotten when the writer fails. */
  readonly transactionCache: TransactionCache;
}

export interface TransactionCache {
  get(key: string): unknown;
  /** Undefined: no longer known. */
  set(key: string, value: unknown): void;
}
