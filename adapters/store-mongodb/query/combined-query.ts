import type { ClientSession, Db, Document } from 'mongodb';
import type { Query, Doc } from './query.ts';
import type { CollectionName } from '../connection/collections.ts';
import { BATCH, pipelineOf } from './run-query.ts';

/** All of them in one command, and so from one snapshot. Not inside a transaction. */
export async function runCombined(
  db: Db,
  session: ClientSession,
  queries: readonly Query[],
): Promise<readonly (readonly Doc[])[]> {
  const { parts, asking } = planOf(queries);
  const [first, ...others] = parts;
  if (first === undefined) return [];
  const unions = others.map(({ from, pipeline }) => ({ $unionWith: { coll: from, pipeline } }));
  const pipeline = [...first.pipeline, ...unions];
  const cursor = db.collection(first.from).aggregate<Doc | Numbered>(pipeline, { session, batchSize: BATCH });
  const answers: Doc[][] = queries.map(() => []);
  for (const found of await cursor.toArray()) {
    if ('_id' in found) for (const n of asking.get(found._id) ?? []) answers[n]?.push(found);
    else answers[found.n]?.push(found.doc);
  }
  return answers;
}

/** What was found for a question, with the number of it. It has no id. */
interface Numbered {
  readonly n: number;
  readonly doc: Doc;
}

interface Part {
  readonly from: CollectionName;
  readonly pipeline: readonly Document[];
}

interface Plan {
  readonly parts: readonly Part[];
  /** Which questions query for the document with an id. */
  readonly asking: ReadonlyMap<string, readonly number[]>;
}

interface Group {
  readonly from: CollectionName;
  readonly query: Query;
  readonly ids: string[];
}

/**
 * Numbering what is found, and every collection that is looked into, costs the server more than finding it. So what is asked for by
 * id is told by its id, and is looked for together with all that is asked of the same collection.
 */
function planOf(queries: readonly Query[]): Plan {
  const groups = new Map<string, Group>();
  const asking = new Map<string, number[]>();
  const owners = new Map<string, string>();
  const numbered: Part[] = [];
  for (const [n, query] of queries.entries()) {
    const id = idIn(query);
    const key = `${query.from} ${query.filter['workspaceId'] === undefined ? '' : query.workspaceId}`;
    // The same id may be that of something else in another collection, or be looked for elsewhere.
    if (id === null || (owners.get(id) ?? key) !== key) {
      numbered.push({ from: query.from, pipeline: [...pipelineOf(query), number(n)] });
      continue;
    }
    owners.set(id, key);
    asking.set(id, [...(asking.get(id) ?? []), n]);
    const group = groups.get(key) ?? { from: query.from, query, ids: [] };
    groups.set(key, group);
    if (!group.ids.includes(id)) group.ids.push(id);
  }
  const byId = [...groups.values()].map(({ from, query, ids }) => ({
    from,
    pipeline: [ids.length === 1 ? { $match: query.filter } : { $match: { ...query.filter, _id: { $in: ids } } }],
  }));
  return { parts: [...byId, ...numbered], asking };
}

/** Of the one whole document that it queries for by id. */
function idIn({ one, project, stagesBefore, stagesAfter }: Query): string | null {
  if (one === undefined || !('id' in one)) return null;
  return project === undefined && stagesBefore === undefined && stagesAfter === undefined ? one.id : null;
}

function number(n: number): Document {
  return { $replaceWith: { n: { $literal: n }, doc: '$$ROOT' } };
}
