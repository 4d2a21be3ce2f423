import { isDeepStrictEqual } from 'node:util';
import type { AnyBulkWriteOperation, Document, Filter } from 'mongodb';
import type { DocumentCollection } from '../connection/collections.ts';

/** A document. Records keep their fields; the id is `_id`. */
export interface Doc extends Document {
  _id: string;
}

/** A query. If possible, the queries of one turn of the event loop go to the server in one command. */
export interface Query {
  readonly from: DocumentCollection;
  /** The workspace in which documents are searched. A write transaction locks it first. */
  readonly workspaceId?: string | undefined;
  /** Every value is wrapped in `$eq` or `$in`, so that input of a caller can never be read as an operator. */
  readonly filter: Filter<Doc>;
  readonly sort?: Readonly<Record<string, 1 | -1>>;
  readonly limit?: number;
  /**
   * The index to use when the query is a command of its own, where the server may take another that fits a query of the
   * same form as well. It keeps its choice for that form, and then reads many documents for few.
   */
  readonly hint?: string;
  readonly project?: Readonly<Record<string, 0 | 1>>;
  /** Stages between filter and sort. */
  readonly stagesBefore?: readonly Document[];
  /** Stages at the end. */
  readonly stagesAfter?: readonly Document[];
  /** Further queries of the same collection, run in this order until `limit` documents are found. */
  readonly next?: readonly Query[];
  /** Other collections that those stages read. */
  readonly alsoReads?: readonly DocumentCollection[];
  /** Set when at most one document is looked for: by its id, or by a value that is unique. */
  readonly one?: { readonly id: string } | { readonly field: string; readonly value: string };
}

export function queryById(from: DocumentCollection, id: string, workspaceId?: string): Query {
  return { from, workspaceId, filter: { _id: { $eq: id } }, limit: 1, one: { id } };
}

export function queryByValue(from: DocumentCollection, field: string, value: string, workspaceId?: string): Query {
  return { from, workspaceId, filter: { [field]: { $eq: value } }, limit: 1, one: { field, value } };
}

/** All conditions of a query. */
export function queryConditions({ workspaceId, filter }: Query): Filter<Doc> {
  return workspaceId === undefined ? filter : { workspaceId: { $eq: workspaceId }, ...filter };
}

/** The condition that all of these hold. */
export function allOf(conditions: readonly Document[]): Document {
  const [first = {}, ...others] = conditions.filter((one) => Object.keys(one).length > 0);
  return others.length === 0 ? first : { $and: [first, ...others] };
}

/** A field of an order, with its value where a list continues. */
export interface PositionField {
  readonly path: string;
  /** Undefined: a value that no document has, and that sorts after all others. */
  readonly value: unknown;
  readonly descending: boolean;
}

/** The condition for documents that follow a position in an order. Null when none can. */
export function follows(position: readonly PositionField[]): Document | null {
  const alternatives: Document[] = [];
  const same: Record<string, unknown> = {};
  for (const { path, value, descending } of position) {
    if (value !== undefined) alternatives.push({ ...same, [path]: { [descending ? '$lt' : '$gt']: value } });
    else if (descending) alternatives.push({ ...same });
    if (value === undefined) break;
    same[path] = { $eq: value };
  }
  if (alternatives.some((one) => Object.keys(one).length === 0)) return {};
  return alternatives.length > 1 ? { $or: alternatives } : (alternatives[0] ?? null);
}

export type BulkWrite = AnyBulkWriteOperation<Doc>;

export function upsert(_id: string, update: Record<string, Record<string, unknown>>): BulkWrite {
  return { updateOne: { filter: { _id }, update, upsert: true } };
}

/**
 * The write after which a document is as given. Of a document that is known, only the fields that differ are sent.
 *
 * @param known the document as it is in the database when the write gets there; null: it is not there; undefined: it
 * is not known
 */
export function replacementOf({ _id, ...fields }: Doc, known: Doc | null | undefined): BulkWrite {
  const filter = { _id: { $eq: _id } };
  if (!known) return { replaceOne: { filter, replacement: fields, upsert: true } };
  const changed = Object.entries(fields).filter(([field, value]) => !isDeepStrictEqual(value, known[field]));
  const removed = Object.keys(known).filter((field) => field !== '_id' && !(field in fields));
  return {
    updateOne: {
      filter,
      update: {
        $set: Object.fromEntries(changed),
        ...(removed.length > 0 && { $unset: Object.fromEntries(removed.map((field) => [field, 1] as const)) }),
      },
    },
  };
}

/** The most ids in one query: encoding a command and decoding its answer hold up other work. */
const MAX_IDS = 1_000;

/** Ids in parts that are small enough for one query. */
export function* inParts(ids: Iterable<string>): IterableIterator<readonly string[]> {
  let part: string[] = [];
  for (const id of ids) {
    if (part.length === MAX_IDS) {
      yield part;
      part = [];
    }
    part.push(id);
  }
  if (part.length > 0) yield part;
}
