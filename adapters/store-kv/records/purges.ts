import type { Purge } from '../../../core/model/purge.ts';
import type { PurgeRepository } from '../../../core/ports/store.ts';
import { idKey } from '../engine/key.ts';
import { type Kv, prefixRange } from '../engine/kv.ts';
import { PREFIX } from '../engine/key-prefixes.ts';

/** Ids of UUID v7 sort by time. */
export class KvPurges implements PurgeRepository {
  readonly #kv: Kv;

  constructor(kv: Kv) {
    this.#kv = kv;
  }

  async list(limit: number): Promise<readonly Purge[]> {
    return this.#kv.range(prefixRange(PREFIX.purge), limit, false).map(([, purge]) => purge as Purge);
  }

  async insert(purge: Purge): Promise<void> {
    this.#kv.put(PREFIX.purge + idKey(purge.id), purge);
  }

  async replace(purge: Purge): Promise<void> {
    await this.insert(purge);
  }

  async remove(purge: Purge): Promise<void> {
    this.#kv.remove(PREFIX.purge + idKey(purge.id));
  }
}
