import type { Document } from 'mongodb';
import type { Query, Doc } from './query.ts';
import type { DocumentCollection } from '../connection/collections.ts';
import { BATCH, documentsOf, pipelineOf, type QueryScope } from './run-query.ts';

/** Runs queries in one command, and so on one snapshot. Not possible inside a transaction. */
export async function runCombined(
  { db, session, queryTimeout }: QueryScope,
  queries: readonly Query[],
): Promise<readonly (readonly Doc[])[]> {
  const { parts, queriesById } = planOf(queries);
  const [first, ...others] = parts;
  if (first === undefined) return [];
  const unions = others.map(({ from, pipeline }) => ({ $unionWith: { coll: from, pipeline } }));
  const pipeline = [...first.pipeline, ...unions];
  const bounds = { session, batchSize: BATCH, maxTimeMS: queryTimeout };
  const cursor = db.collection(first.from).aggregate<Doc | Numbered>(pipeline, bounds);
  const answers: Doc[][] = queries.map(() => []);
  for (const found of await documentsOf(cursor)) {
    if ('_id' in found) for (const n of queriesById.get(found._id) ?? []) answers[n]?.push(found);
    else answers[found.n]?.push(found.doc);
  }
  return answers;
}

/** A found document with the number of its query. Without `_id`, by which it is told from a plain document. */
interface Numbered {
  readonly n: number;
  readonly doc: Doc;
}

interface Part {
  readonly from: DocumentCollection;
  readonly pipeline: readonly Document[];
}

interface Plan {
  readonly parts: readonly Part[];
  /** The numbers of the queries for each id. */
  readonly queriesById: ReadonlyMap<string, readonly number[]>;
}

interface Group {
  readonly from: DocumentCollection;
  readonly query: Query;
  readonly ids: string[];
}

/**
 * Each part of a union, and each document that is numbered, costs the server more than to find a document by id. So
 * queries by id of one collection become one part, and their documents are assigned by id instead of by number.
 */
function planOf(queries: readonly Query[]): Plan {
  const groups = new Map<string, Group>();
  const queriesById = new Map<string, number[]>();
  const owners = new Map<string, string>();
  const numbered: Part[] = [];
  for (const [n, query] of queries.entries()) {
    const id = idIn(query);
    const key = `${query.from} ${query.filter['workspaceId'] === undefined ? '' : query.workspaceId}`;
    // Ids are unique in one collection: another query for the same id elsewhere gets a number.
    if (id === null || (owners.get(id) ?? key) !== key) {
      numbered.push({ from: query.from, pipeline: [...pipelineOf(query), number(n)] });
      continue;
    }
    owners.set(id, key);
    queriesById.set(id, [...(queriesById.get(id) ?? []), n]);
    const group = groups.get(key) ?? { from: query.from, query, ids: [] };
    groups.set(key, group);
    if (!group.ids.includes(id)) group.ids.push(id);
  }
  const byId = [...groups.values()].map(({ from, query, ids }) => ({
    from,
    pipeline: [ids.length === 1 ? { $match: query.filter } : { $match: { ...query.filter, _id: { $in: ids } } }],
  }));
  return { parts: [...byId, ...numbered], queriesById };
}

/** The id of a query for one whole document by id. */
function idIn({ one, project, stagesBefore, stagesAfter }: Query): string | null {
  if (one === undefined || !('id' in one)) return null;
  return project === undefined && stagesBefore === undefined && stagesAfter === undefined ? one.id : null;
}

function number(n: number): Document {
  return { $replaceWith: { n: { $literal: n }, doc: '$$ROOT' } };
}
