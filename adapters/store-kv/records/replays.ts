import type { IdempotencyRecord } from '../../../core/model/idempotency-record.ts';
import type { IdempotencyRepository } from '../../../core/ports/store.ts';
import { textKey, timeKey } from '../engine/key.ts';
import type { Kv } from '../engine/kv.ts';
import { PREFIX } from '../engine/key-prefixes.ts';

export class KvReplays implements IdempotencyRepository {
  readonly #kv: Kv;

  constructor(kv: Kv) {
    this.#kv = kv;
  }

  async get(key: string): Promise<IdempotencyRecord | null> {
    return (this.#kv.get(PREFIX.replay + textKey(key)) as IdempotencyRecord | undefined) ?? null;
  }

  async put(replay: IdempotencyRecord): Promise<void> {
    const before = await this.get(replay.key);
    if (before !== null) this.#kv.remove(expiryKey(before));
    this.#kv.put(PREFIX.replay + textKey(replay.key), replay);
    this.#kv.put(expiryKey(replay), replay.key);
  }

  async removeExpired(now: string, limit: number): Promise<void> {
    const range = { from: PREFIX.replayByExpiry, to: PREFIX.replayByExpiry + timeKey(now) };
    const expired = this.#kv.range(range, limit, false);
    for (const [expiry, key] of expired) {
      this.#kv.remove(expiry);
      this.#kv.remove(PREFIX.replay + textKey(key as string));
    }
  }
}

function expiryKey({ key, expiresAt }: IdempotencyRecord): string {
  return PREFIX.replayByExpiry + timeKey(expiresAt) + textKey(key);
}
