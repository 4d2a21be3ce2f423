import type { ClientSession, Db, Document } from 'mongodb';
import type { Ask, Doc } from './access.ts';

/** The first answer may hold this much; a cursor fetches the rest. */
const BATCH = 10_000;

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

/** All of them in one command, and so from one snapshot. Not inside a transaction. */
export async function answerTogether(
  db: Db,
  session: ClientSession,
  asks: readonly Ask[],
): Promise<readonly (readonly Doc[])[]> {
  const [first, ...others] = asks.map((ask, i) => [...pipelineOf(ask), numbered(i)]);
  if (first === undefined) return [];
  const unions = others.map((pipeline, i) => ({ $unionWith: { coll: asks[i + 1]?.from, pipeline } }));
  const collection = db.collection(asks[0]?.from as string);
  const cursor = collection.aggregate<{ n: number; doc: Doc }>([...first, ...unions], { session, batchSize: BATCH });
  const answers: Doc[][] = asks.map(() => []);
  for (const { n, doc } of await cursor.toArray()) answers[n]?.push(doc);
  return answers;
}

function pipelineOf({ filter, compute, sort, limit, project, finish }: Ask): Document[] {
  return [
    { $match: filter },
    ...(compute ?? []),
    ...(sort === undefined ? [] : [{ $sort: new Map(Object.entries(sort)) }]),
    ...(limit === undefined ? [] : [{ $limit: limit }]),
    ...(project === undefined ? [] : [{ $project: project }]),
    ...(finish ?? []),
  ];
}

function numbered(n: number): Document {
  return { $replaceWith: { n: { $literal: n }, doc: '$$ROOT' } };
}
