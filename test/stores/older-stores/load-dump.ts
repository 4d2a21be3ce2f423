import { readFileSync } from 'node:fs';
import { BSON, type Db, type Document, type IndexDescription } from 'mongodb';
import { olderFile } from './answers.ts';

type Line =
  | { readonly collection: string; readonly indexes: readonly IndexDescription[] }
  | { readonly in: string; readonly document: Document };

/** Fields by which the server removes documents: their time is counted from when the dump is loaded. */
const EXPIRING: Readonly<Record<string, number>> = { removedAt: 0, sweepAt: 25 * 3_600_000 };

/** Puts what a database held in the place of all that it holds. */
export async function loadDump(db: Db, commit: string): Promise<void> {
  const lines = readFileSync(olderFile(commit, 'mongodb.jsonl'), 'utf8').trimEnd().split('\n');
  const documents = new Map<string, Document[]>();
  for (const text of lines) {
    const line = BSON.EJSON.parse(text, { relaxed: false }) as Line;
    if ('collection' in line) {
      documents.set(line.collection, []);
      await db.collection(line.collection).createIndexes([...line.indexes]);
    } else documents.get(line.in)?.push(unexpired(line.document));
  }
  for (const { name } of await db.listCollections({}, { nameOnly: true }).toArray()) {
    if (documents.has(name)) await db.collection(name).deleteMany({});
    else await db.dropCollection(name);
  }
  for (const [name, all] of documents) if (all.length > 0) await db.collection(name).insertMany(all);
}

function unexpired(document: Document): Document {
  for (const [field, after] of Object.entries(EXPIRING)) {
    if (field in document) document[field] = new Date(Date.now() + after);
  }
  return document;
}
