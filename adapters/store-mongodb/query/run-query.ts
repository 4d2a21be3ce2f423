import type { AbstractCursor, ClientSession, Db, Document } from 'mongodb';
import { addToList } from '../../../core/kernel/group.ts';
import { EventLoopYielder } from '../../event-loop/yielder.ts';
import type { AnswerLimit } from '../connection/answer-limit.ts';
import type { DocumentCollection } from '../connection/collections.ts';
import { isHintRefused, StaleAssumption, unwrapBulkWrite } from '../connection/errors.ts';
import { answersIn, listsTogether } from './lists-together.ts';
import { queryConditions, type Doc, type Query, type BulkWrite } from './query.ts';

/** Documents in one answer; a cursor fetches the rest. The driver copies an answer at once. */
const BATCH = 2_000;

/** The connection, session and limits with which queries run. */
export interface QueryScope {
  readonly db: Db;
  readonly session: ClientSession;
  /** How long the server may work on one of them, in ms. */
  readonly queryTimeout: number;
  readonly answers: AnswerLimit;
  /** Whether the server takes several of them in one command. */
  readonly unions: boolean;
  /** Hints that the server has refused, as their index was dropped or hidden while the store was open. */
  readonly refusedHints: Set<string>;
}

/**
 * A query whose hint is refused runs without it, more slowly.
 *
 * @throws MongoServerError of code 50 when the server has worked on it for too long
 * @throws StaleAssumption for a hint that is refused in a transaction, which the server has aborted then
 */
export async function runQuery(scope: QueryScope, query: Query): Promise<readonly Doc[]> {
  const { hint } = query;
  if (hint === undefined) return runHinted(scope, query);
  const { refusedHints, session } = scope;
  if (refusedHints.has(hint)) return runHinted(scope, withoutHint(query));
  try {
    return await runHinted(scope, query);
  } catch (error) {
    if (!isHintRefused(error)) throw error;
    refusedHints.add(hint);
    if (session.inTransaction()) throw new StaleAssumption();
    return runHinted(scope, withoutHint(query));
  }
}

function withoutHint({ hint: _, ...query }: Query): Query {
  return query;
}

async function runHinted(scope: QueryScope, query: Query): Promise<readonly Doc[]> {
  const { db, answers, unions } = scope;
  const collection = db.collection<Doc>(query.from);
  if (query.next !== undefined && !unions) return runInTurn(scope, query);
  const { sort, limit, project, hint } = query;
  const bounds = { ...boundsOf(scope), ...(hint === undefined ? {} : { hint }) };
  if (query.stagesAfter !== undefined || query.stagesBefore !== undefined || query.next !== undefined) {
    return documentsOf(answers, collection.aggregate<Doc>(pipelineOf(query), bounds));
  }
  const options = {
    ...(sort === undefined ? {} : { sort: new Map(Object.entries(sort)) }),
    ...(limit === undefined ? {} : { limit }),
    ...(project === undefined ? {} : { projection: project }),
  };
  return documentsOf(answers, collection.find(queryConditions(query), { ...bounds, ...options }));
}

/** MongoDB 5.0 sorts on disk only on request; a page of long tasks may exceed its memory limit for sorts. */
function boundsOf({ session, queryTimeout }: QueryScope) {
  return { session, batchSize: BATCH, maxTimeMS: queryTimeout, allowDiskUse: true };
}

/** Sends writes in their order, in a transaction. @throws the cause, as other commands do */
export async function bulkWrite({ db, session, answers }: QueryScope, from: DocumentCollection, writes: BulkWrite[]) {
  try {
    return await answers.within(db.collection<Doc>(from).bulkWrite(writes, { session, ordered: true }));
  } catch (error) {
    throw unwrapBulkWrite(error);
  }
}

/** Milliseconds above which decoding a document counts as slow, as for a page or board with thousands of parts. */
const SLOW_DECODE = 0.5;
/** The units of work that a slow document counts as, so that the clock is checked after it. */
const STEPS_OF_SLOW = 1_000;

async function documentsOf<T>(answers: AnswerLimit, cursor: AbstractCursor<T>): Promise<T[]> {
  const found: T[] = [];
  await eachDocument(answers, cursor, (document) => void found.push(document));
  return found;
}

/** Reads all documents of a cursor. They are decoded one by one, and other work runs in between. */
async function eachDocument<T>(
  answers: AnswerLimit,
  cursor: AbstractCursor<T>,
  take: (document: T) => void,
): Promise<void> {
  const yielder = new EventLoopYielder();
  try {
    for (let first = await answers.within(cursor.next()); first !== null; first = await answers.within(cursor.next())) {
      take(first);
      await takeBuffered(cursor, take, yielder);
    }
  } finally {
    if (!cursor.closed) cursor.close().catch(() => undefined);
  }
}

/** Reads the documents that the driver has received already. */
async function takeBuffered<T>(
  cursor: AbstractCursor<T>,
  take: (document: T) => void,
  yielder: EventLoopYielder,
): Promise<void> {
  for (;;) {
    const began = performance.now();
    const [next] = cursor.readBufferedDocuments(1);
    if (next === undefined) return;
    take(next);
    const pause = yielder.step(performance.now() - began > SLOW_DECODE ? STEPS_OF_SLOW : 1);
    if (pause !== null) await pause;
  }
}

async function runInTurn(scope: QueryScope, query: Query): Promise<readonly Doc[]> {
  const { next = [], ...first } = query;
  const { limit = Infinity } = query;
  const found: Doc[] = [];
  for (const one of [first, ...next]) {
    found.push(...(await runQuery(scope, one)));
    if (found.length >= limit) break;
  }
  return found.slice(0, limit);
}

/** The server runs the next part of a union only when the part before is exhausted. */
function pipelineOf(query: Query): Document[] {
  const { stagesBefore, sort, limit, project, stagesAfter, next = [] } = query;
  return [
    { $match: queryConditions(query) },
    ...(stagesBefore ?? []),
    ...(sort === undefined ? [] : [{ $sort: new Map(Object.entries(sort)) }]),
    ...(limit === undefined ? [] : [{ $limit: limit }]),
    ...(project === undefined ? [] : [{ $project: project }]),
    ...(stagesAfter ?? []),
    ...next.map((one) => ({ $unionWith: { coll: one.from, pipeline: pipelineOf(one) } })),
    ...(next.length === 0 || limit === undefined ? [] : [{ $limit: limit }]),
  ];
}

/**
 * Runs queries in one command if the server supports that, else one after another. Lists that differ in one value
 * become one query.
 */
export async function runQueries(scope: QueryScope, queries: readonly Query[]): Promise<readonly (readonly Doc[])[]> {
  const together = listsTogether(queries);
  if (together.length === 0) return runEach(scope, queries);
  const inLists = new Set(together.flatMap(({ lists }) => lists));
  const others = queries.filter((query) => !inLists.has(query));
  const found = await runEach(scope, [...others, ...together.map(({ query }) => query)]);
  const answers = new Map(others.map((query, i) => [query, found[i]!]));
  for (const [i, each] of together.entries()) {
    const known = answersIn(each, found[others.length + i]!);
    for (const list of each.lists) answers.set(list, known?.get(list) ?? (await runQuery(scope, list)));
  }
  return queries.map((query) => answers.get(query)!);
}

async function runEach(scope: QueryScope, queries: readonly Query[]): Promise<readonly (readonly Doc[])[]> {
  if (scope.unions && queries.length > 1) return runCombined(scope, queries);
  const answers: (readonly Doc[])[] = [];
  for (const query of queries) answers.push(await runQuery(scope, query));
  return answers;
}

/**
 * Runs queries in one command, and so on one snapshot. Not possible inside a transaction.
 *
 * Each part of a union, and each document that is numbered, costs the server more than to find a document by id. So
 * queries by id of one collection become one part, and their documents are assigned by id instead of by number.
 */
async function runCombined(scope: QueryScope, queries: readonly Query[]): Promise<readonly (readonly Doc[])[]> {
  const numbersById = new Map<string, number[]>();
  const groups = new Map<string, Query[]>();
  const groupOfId = new Map<string, string>();
  const numbered: UnionPart[] = [];
  for (const [n, query] of queries.entries()) {
    const id = idIn(query);
    const group = `${query.from} ${query.workspaceId ?? ''}`;
    // Ids are unique in one collection: another query for the same id elsewhere gets a number.
    if (id === null || (groupOfId.get(id) ?? group) !== group) {
      numbered.push({ from: query.from, pipeline: [...pipelineOf(query), number(n)] });
      continue;
    }
    groupOfId.set(id, group);
    addToList(numbersById, id, n);
    addToList(groups, group, query);
  }
  const [first, ...others] = [...[...groups.values()].map(partOf), ...numbered];
  if (first === undefined) return [];
  const unions = others.map(({ from, pipeline }) => ({ $unionWith: { coll: from, pipeline } }));
  const pipeline = [...first.pipeline, ...unions];
  const cursor = scope.db.collection(first.from).aggregate<Doc | NumberedDocument>(pipeline, boundsOf(scope));
  const answers: Doc[][] = queries.map(() => []);
  await eachDocument(scope.answers, cursor, (found) => {
    if ('_id' in found) for (const n of numbersById.get(found._id) ?? []) answers[n]?.push(found);
    else answers[found.n]?.push(found.doc);
  });
  return answers;
}

/** A found document with the number of its query. It has no `_id`, which distinguishes it from a plain document. */
interface NumberedDocument {
  readonly n: number;
  readonly doc: Doc;
}

interface UnionPart {
  readonly from: DocumentCollection;
  readonly pipeline: readonly Document[];
}

/** Queries by id of one collection and workspace. */
function partOf(queries: readonly Query[]): UnionPart {
  const [query] = queries as [Query];
  const ids = new Set(queries.map(idIn));
  const conditions = queryConditions(query);
  return {
    from: query.from,
    pipeline: [{ $match: ids.size === 1 ? conditions : { ...conditions, _id: { $in: [...ids] } } }],
  };
}

/** The id of a query for one whole document by id. */
function idIn({ one, project, stagesBefore, stagesAfter }: Query): string | null {
  if (one === undefined || !('id' in one)) return null;
  return project === undefined && stagesBefore === undefined && stagesAfter === undefined ? one.id : null;
}

function number(n: number): Document {
  return { $replaceWith: { n: { $literal: n }, doc: '$$ROOT' } };
}

/** The documents that one query has found. */
export type QueryResult = readonly Doc[];

/** Collects queries until no more code can run without an answer, and runs them together. */
export class QueryBatch {
  readonly #answer: (queries: readonly Query[]) => Promise<readonly QueryResult[]>;
  #queries: Query[] = [];
  /** The answers to the queries that are being collected, or were collected last. */
  #answers: Promise<readonly QueryResult[]> = Promise.resolve([]);

  constructor(answer: (queries: readonly Query[]) => Promise<readonly QueryResult[]>) {
    this.#answer = answer;
  }

  async query(query: Query): Promise<QueryResult> {
    if (this.#queries.length === 0) this.#answers = this.#sendAfter(this.#answers);
    const n = this.#queries.push(query) - 1;
    return (await this.#answers)[n] ?? [];
  }

  /** Resolves when no query is running. */
  async idle(): Promise<void> {
    for (let last: unknown; last !== this.#answers; await this.#answers.catch(() => undefined)) last = this.#answers;
  }

  async #sendAfter(last: Promise<unknown>): Promise<readonly QueryResult[]> {
    await last.catch(() => undefined);
    // `nextTick` callbacks run after all pending promise reactions.
    await new Promise<void>((resolve) => process.nextTick(resolve));
    return this.#answer(this.#queries.splice(0));
  }
}
