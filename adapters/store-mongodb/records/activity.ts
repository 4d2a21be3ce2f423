import type { ActivityRepository } from '../../../core/ports/store.ts';
import type { DocumentWriter } from '../query/document-writer.ts';

export class MongodbActivity implements ActivityRepository {
  readonly #documents: DocumentWriter;

  constructor(documents: DocumentWriter) {
    this.#documents = documents;
  }

  async touch(subject: string, at: string): Promise<void> {
    const write = { updateOne: { filter: { _id: { $eq: subject } }, update: { $max: { at } }, upsert: true } };
    await this.#documents.writeUnindexed('activity', write);
  }

  async of(subjects: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (subjects.length === 0) return new Map();
    const docs = await this.#documents.query({ from: 'activity', filter: { _id: { $in: [...subjects] } } });
    return new Map(docs.map((doc) => [doc._id, doc['at'] as string]));
  }
}
