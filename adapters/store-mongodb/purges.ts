import type { Purge } from '../../core/model/purge.ts';
import type { PurgeRepository } from '../../core/ports/store.ts';
import type { WriteAccess } from './access.ts';
import { fromDoc, toDoc } from './documents.ts';

/** Ids of UUID v7 sort by time. */
export class MongodbPurges implements PurgeRepository {
  readonly #access: WriteAccess;

  constructor(access: WriteAccess) {
    this.#access = access;
  }

  async list(limit: number): Promise<readonly Purge[]> {
    if (limit <= 0) return [];
    const docs = await this.#access.ask({ from: 'purges', filter: { _id: { $gt: '' } }, sort: { _id: 1 }, limit });
    return docs.map((doc) => fromDoc<Purge>(doc));
  }

  async insert(purge: Purge): Promise<void> {
    await this.#access.insert('purges', toDoc(purge));
  }

  async replace(purge: Purge): Promise<void> {
    await this.#access.replace('purges', toDoc(purge));
  }

  async remove(purge: Purge): Promise<void> {
    await this.#access.remove('purges', purge.id, purge.workspaceId);
  }
}
