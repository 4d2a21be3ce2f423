import type { Replay } from '../../core/replay.ts';
import type { ReplayRepository } from '../../core/store.ts';
import { textKey, timeKey } from './key.ts';
import { type Kv, scan } from './kv.ts';
import { table } from './table.ts';

export class KvReplays implements ReplayRepository {
  readonly #kv: Kv;

  constructor(kv: Kv) {
    this.#kv = kv;
  }

  async get(key: string): Promise<Replay | null> {
    return (this.#kv.get(table.replay + textKey(key)) as Replay | undefined) ?? null;
  }

  async put(replay: Replay): Promise<void> {
    const before = await this.get(replay.key);
    if (before !== null) this.#kv.remove(expiryKey(before));
    this.#kv.put(table.replay + textKey(replay.key), replay);
    this.#kv.put(expiryKey(replay), replay.key);
  }

  async removeExpired(now: string, limit: number): Promise<void> {
    const expired = [...scan(this.#kv, { from: table.replayByExpiry, to: table.replayByExpiry + timeKey(now) })].slice(
      0,
      limit,
    );
    for (const [expiry, key] of expired) {
      this.#kv.remove(expiry);
      this.#kv.remove(table.replay + textKey(key as string));
    }
  }
}

function expiryKey({ key, expiresAt }: Replay): string {
  return table.replayByExpiry + timeKey(expiresAt) + textKey(key);
}
