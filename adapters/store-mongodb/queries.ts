import type { ClientSession, Db, Document } from 'mongodb';
import type { Ask, Doc } from './access.ts';

/** The first answer may hold this much; a cursor fetches the rest. */
export const BATCH = 10_000;

/** @param unions whether the server takes several questions in one command */
export async function answerOne(db: Db, session: ClientSession, ask: Ask, unions: boolean): Promise<readonly Doc[]> {
  const collection = db.collection<Doc>(ask.from);
  if (ask.next !== undefined && !unions) return answerInTurn(db, session, ask);
  if (ask.finish !== undefined || ask.compute !== undefined || ask.next !== undefined) {
    return collection.aggregate<Doc>(pipelineOf(ask), { session, batchSize: BATCH }).toArray();
  }
  const { sort, limit, project } = ask;
  const options = {
    ...(sort === undefined ? {} : { sort: new Map(Object.entries(sort)) }),
    ...(limit === undefined ? {} : { limit }),
    ...(project === undefined ? {} : { projection: project }),
  };
  return collection.find(ask.filter, { session, batchSize: BATCH, ...options }).toArray();
}

async function answerInTurn(db: Db, session: ClientSession, ask: Ask): Promise<readonly Doc[]> {
  const { next = [], ...first } = ask;
  const { limit = Infinity } = ask;
  const found: Doc[] = [];
  for (const one of [first, ...next]) {
    found.push(...(await answerOne(db, session, one, false)));
    if (found.length >= limit) break;
  }
  return found.slice(0, limit);
}

/** The server looks into the next part of a union when the one before is at its end. */
export function pipelineOf(ask: Ask): Document[] {
  const { filter, compute, sort, limit, project, finish, next = [] } = ask;
  return [
    { $match: filter },
    ...(compute ?? []),
    ...(sort === undefined ? [] : [{ $sort: new Map(Object.entries(sort)) }]),
    ...(limit === undefined ? [] : [{ $limit: limit }]),
    ...(project === undefined ? [] : [{ $project: project }]),
    ...(finish ?? []),
    ...next.map((one) => ({ $unionWith: { coll: one.from, pipeline: pipelineOf(one) } })),
    ...(next.length === 0 || limit === undefined ? [] : [{ $limit: limit }]),
  ];
}
