import type { Purge } from '../../core/purge.ts';
import type { PurgeRepository } from '../../core/store.ts';
import { idKey } from './key.ts';
import { type Kv, within } from './kv.ts';
import { table } from './table.ts';

/** Ids of UUID v7 sort by time. */
export class KvPurges implements PurgeRepository {
  readonly #kv: Kv;

  constructor(kv: Kv) {
    this.#kv = kv;
  }

  async list(limit: number): Promise<readonly Purge[]> {
    return this.#kv.range(within(table.purge), limit, false).map(([, purge]) => purge as Purge);
  }

  async insert(purge: Purge): Promise<void> {
    this.#kv.put(table.purge + idKey(purge.id), purge);
  }

  async replace(purge: Purge): Promise<void> {
    await this.insert(purge);
  }

  async remove(purge: Purge): Promise<void> {
    this.#kv.remove(table.purge + idKey(purge.id));
  }
}
