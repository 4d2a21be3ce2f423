import type { IdempotencyRecord } from '../../../core/model/idempotency-record.ts';
import type { IdempotencyRepository } from '../../../core/ports/store.ts';
import type { DocumentWriter } from '../query/document-writer.ts';

/** By the clock of this machine: longer than a replay is kept. */
const SWEPT_AFTER = 25 * 3_600_000;

/** The output is kept as text: it may be anything. */
export class MongodbReplays implements IdempotencyRepository {
  readonly #documents: DocumentWriter;

  constructor(documents: DocumentWriter) {
    this.#documents = documents;
  }

  async get(key: string): Promise<IdempotencyRecord | null> {
    const doc = await this.#documents.byId('replays', key);
    return doc === null ? null : (JSON.parse(doc['replay'] as string) as IdempotencyRecord);
  }

  async put(replay: IdempotencyRecord): Promise<void> {
    const sweepAt = new Date(Date.now() + SWEPT_AFTER);
    await this.#documents.replace('replays', { _id: replay.key, replay: JSON.stringify(replay), sweepAt });
  }

  async removeExpired(): Promise<void> {
    // The server does, through an index. Writers that all swept the same would be in each other's way.
  }
}
