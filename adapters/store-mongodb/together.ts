import type { ClientSession, Db, Document } from 'mongodb';
import type { Ask, Doc } from './access.ts';
import type { CollectionName } from './collections.ts';
import { BATCH, pipelineOf } from './queries.ts';

/** All of them in one command, and so from one snapshot. Not inside a transaction. */
export async function answerTogether(
  db: Db,
  session: ClientSession,
  asks: readonly Ask[],
): Promise<readonly (readonly Doc[])[]> {
  const { parts, asking } = planOf(asks);
  const [first, ...others] = parts;
  if (first === undefined) return [];
  const unions = others.map(({ from, pipeline }) => ({ $unionWith: { coll: from, pipeline } }));
  const pipeline = [...first.pipeline, ...unions];
  const cursor = db.collection(first.from).aggregate<Doc | Numbered>(pipeline, { session, batchSize: BATCH });
  const answers: Doc[][] = asks.map(() => []);
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
  /** Which questions ask for the document with an id. */
  readonly asking: ReadonlyMap<string, readonly number[]>;
}

interface Group {
  readonly from: CollectionName;
  readonly ask: Ask;
  readonly ids: string[];
}

/**
 * Numbering what is found, and every collection that is looked into, costs the server more than finding it. So what is asked for by
 * id is told by its id, and is looked for together with all that is asked of the same collection.
 */
function planOf(asks: readonly Ask[]): Plan {
  const groups = new Map<string, Group>();
  const asking = new Map<string, number[]>();
  const owners = new Map<string, string>();
  const numbered: Part[] = [];
  for (const [n, ask] of asks.entries()) {
    const id = idIn(ask);
    const key = `${ask.from} ${ask.filter['workspaceId'] === undefined ? '' : ask.workspaceId}`;
    // The same id may be that of something else in another collection, or be looked for elsewhere.
    if (id === null || (owners.get(id) ?? key) !== key) {
      numbered.push({ from: ask.from, pipeline: [...pipelineOf(ask), number(n)] });
      continue;
    }
    owners.set(id, key);
    asking.set(id, [...(asking.get(id) ?? []), n]);
    const group = groups.get(key) ?? { from: ask.from, ask, ids: [] };
    groups.set(key, group);
    if (!group.ids.includes(id)) group.ids.push(id);
  }
  const byId = [...groups.values()].map(({ from, ask, ids }) => ({
    from,
    pipeline: [ids.length === 1 ? { $match: ask.filter } : { $match: { ...ask.filter, _id: { $in: ids } } }],
  }));
  return { parts: [...byId, ...numbered], asking };
}

/** Of the one whole document that it asks for by id. */
function idIn({ one, project, compute, finish }: Ask): string | null {
  if (one === undefined || !('id' in one)) return null;
  return project === undefined && compute === undefined && finish === undefined ? one.id : null;
}

function number(n: number): Document {
  return { $replaceWith: { n: { $literal: n }, doc: '$$ROOT' } };
}
