import type { AnyBulkWriteOperation, Document, Filter } from 'mongodb';
import type { DocumentCollection } from '../connection/collections.ts';

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

/** Ids that one query names, at most: a command is encoded, and its answer made into records, while others wait. */
const MOST_IDS = 1_000;

/** Ids as queries may name them. */
export function* inParts(ids: readonly string[]): IterableIterator<readonly string[]> {
  for (let from = 0; from < ids.length; from += MOST_IDS) yield ids.slice(from, from + MOST_IDS);
}
