import type { AbstractCursor, ClientSession, Db, Document } from 'mongodb';
import { Yielder } from '../../event-loop/yield.ts';
import type { Query, Doc } from './query.ts';

/** Documents in the first answer; a cursor fetches the rest. */
export const BATCH = 10_000;

/** What queries run in. */
export interface QueryScope {
  readonly db: Db;
  readonly session: ClientSession;
  /** How long the server may work on one of them, in ms. */
  readonly queryTimeout: number;
}

/**
 * @param unions whether the server takes several queries in one command
 * @throws MongoServerError of code 50 when the server has worked on it for too long
 */
export async function runQuery(scope: QueryScope, query: Query, unions: boolean): Promise<readonly Doc[]> {
  const { db, session, queryTimeout } = scope;
  const collection = db.collection<Doc>(query.from);
  if (query.next !== undefined && !unions) return runInTurn(scope, query);
  const bounds = { session, batchSize: BATCH, maxTimeMS: queryTimeout };
  if (query.stagesAfter !== undefined || query.stagesBefore !== undefined || query.next !== undefined) {
    return documentsOf(collection.aggregate<Doc>(pipelineOf(query), bounds));
  }
  const { sort, limit, project } = query;
  const options = {
    ...(sort === undefined ? {} : { sort: new Map(Object.entries(sort)) }),
    ...(limit === undefined ? {} : { limit }),
    ...(project === undefined ? {} : { projection: project }),
  };
  return documentsOf(collection.find(query.filter, { ...bounds, ...options }));
}

/** Documents that are decoded at once. */
const CHUNK = 64;

/** All documents of a cursor. They are decoded in steps between which others run. */
export async function documentsOf<T>(cursor: AbstractCursor<T>): Promise<T[]> {
  const found: T[] = [];
  const yielder = new Yielder();
  for await (const document of cursor) {
    found.push(document);
    const more = cursor.readBufferedDocuments(CHUNK);
    for (const each of more) found.push(each);
    const pause = yielder.step(1 + more.length);
    if (pause !== null) await pause;
  }
  return found;
}

async function runInTurn(scope: QueryScope, query: Query): Promise<readonly Doc[]> {
  const { next = [], ...first } = query;
  const { limit = Infinity } = query;
  const found: Doc[] = [];
  for (const one of [first, ...next]) {
    found.push(...(await runQuery(scope, one, false)));
    if (found.length >= limit) break;
  }
  return found.slice(0, limit);
}

/** The server runs the next part of a union only when the part before is exhausted. */
export function pipelineOf(query: Query): Document[] {
  const { filter, stagesBefore, sort, limit, project, stagesAfter, next = [] } = query;
  return [
    { $match: filter },
    ...(stagesBefore ?? []),
    ...(sort === undefined ? [] : [{ $sort: new Map(Object.entries(sort)) }]),
    ...(limit === undefined ? [] : [{ $limit: limit }]),
    ...(project === undefined ? [] : [{ $project: project }]),
    ...(stagesAfter ?? []),
    ...next.map((one) => ({ $unionWith: { coll: one.from, pipeline: pipelineOf(one) } })),
    ...(next.length === 0 || limit === undefined ? [] : [{ $limit: limit }]),
  ];
}
