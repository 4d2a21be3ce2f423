import type { ClientSession, Db, Document } from 'mongodb';
import type { Query, Doc } from './query.ts';

/** Documents in the first answer; a cursor fetches the rest. */
export const BATCH = 10_000;

/** @param unions whether the server takes several queries in one command */
export async function runQuery(db: Db, session: ClientSession, query: Query, unions: boolean): Promise<readonly Doc[]> {
  const collection = db.collection<Doc>(query.from);
  if (query.next !== undefined && !unions) return runInTurn(db, session, query);
  if (query.stagesAfter !== undefined || query.stagesBefore !== undefined || query.next !== undefined) {
    return collection.aggregate<Doc>(pipelineOf(query), { session, batchSize: BATCH }).toArray();
  }
  const { sort, limit, project } = query;
  const options = {
    ...(sort === undefined ? {} : { sort: new Map(Object.entries(sort)) }),
    ...(limit === undefined ? {} : { limit }),
    ...(project === undefined ? {} : { projection: project }),
  };
  return collection.find(query.filter, { session, batchSize: BATCH, ...options }).toArray();
}

async function runInTurn(db: Db, session: ClientSession, query: Query): Promise<readonly Doc[]> {
  const { next = [], ...first } = query;
  const { limit = Infinity } = query;
  const found: Doc[] = [];
  for (const one of [first, ...next]) {
    found.push(...(await runQuery(db, session, one, false)));
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
