import type { ClientSession, Db, Document } from 'mongodb';
import type { Ask, Doc } from './access.ts';

/** The first answer may hold this much; a cursor fetches the rest. */
export const BATCH = 10_000;

export async function answerOne(db: Db, session: ClientSession, ask: Ask): Promise<readonly Doc[]> {
  const collection = db.collection<Doc>(ask.from);
  if (ask.finish !== undefined || ask.compute !== undefined) {
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

export function pipelineOf({ filter, compute, sort, limit, project, finish }: Ask): Document[] {
  return [
    { $match: filter },
    ...(compute ?? []),
    ...(sort === undefined ? [] : [{ $sort: new Map(Object.entries(sort)) }]),
    ...(limit === undefined ? [] : [{ $limit: limit }]),
    ...(project === undefined ? [] : [{ $project: project }]),
    ...(finish ?? []),
  ];
}
