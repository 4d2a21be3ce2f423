import type { Purge } from '../../../core/model/purge.ts';
import type { PurgeRepository } from '../../../core/ports/store.ts';
import type { DocumentWriter } from '../query/query.ts';
import { fromDoc, toDoc } from '../query/documents.ts';

/** Ids of UUID v7 sort by time. */
export class MongodbPurges implements PurgeRepository {
  readonly #documents: DocumentWriter;

  constructor(documents: DocumentWriter) {
    this.#documents = documents;
  }

  async list(limit: number): Promise<readonly Purge[]> {
    if (limit <= 0) return [];
    const docs = await this.#documents.query({ from: 'purges', filter: { _id: { $gt: '' } }, sort: { _id: 1 }, limit });
    return docs.map((doc) => fromDoc<Purge>(doc));
  }

  async insert(purge: Purge): Promise<void> {
    await this.#documents.insert('purges', toDoc(purge));
  }

  async replace(purge: Purge): Promise<void> {
    await this.#documents.replace('purges', toDoc(purge));
  }

  async remove(purge: Purge): Promise<void> {
    await this.#documents.remove('purges', purge.id, purge.workspaceId);
  }
}
