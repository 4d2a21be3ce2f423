import type { IdempotencyRecord } from '../../../core/model/log/idempotency-record.ts';
import type { ServiceSettings } from '../../../core/model/service/service-settings.ts';
import type { ActivityRepository, IdempotencyRepository, SettingsRepository } from '../../../core/ports/store.ts';
import { EventLoopYielder } from '../../event-loop/yielder.ts';
import { idKey, textKey, timeKey } from '../engine/key.ts';
import { PREFIX } from '../engine/key-prefixes.ts';
import type { Kv } from '../engine/kv.ts';

export class KvActivity implements ActivityRepository {
  readonly #kv: Kv;

  constructor(kv: Kv) {
    this.#kv = kv;
  }

  async touch(subject: string, at: string): Promise<void> {
    const key = PREFIX.activity + idKey(subject);
    const before = this.#kv.get(key) as string | undefined;
    if (before === undefined || before < at) this.#kv.put(key, at);
  }

  async of(subjects: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>();
    const yielder = new EventLoopYielder();
    for (const subject of subjects) {
      const pause = yielder.step();
      if (pause !== null) await pause;
      const at = this.#kv.get(PREFIX.activity + idKey(subject));
      if (at !== undefined) found.set(subject, at as string);
    }
    return found;
  }
}

export class KvIdempotencyRecords implements IdempotencyRepository {
  readonly #kv: Kv;

  constructor(kv: Kv) {
    this.#kv = kv;
  }

  async get(key: string): Promise<IdempotencyRecord | null> {
    return (this.#kv.get(PREFIX.idempotencyRecord + textKey(key)) as IdempotencyRecord | undefined) ?? null;
  }

  async put(record: IdempotencyRecord): Promise<void> {
    const before = await this.get(record.key);
    if (before !== null) this.#kv.remove(expiryKey(before));
    this.#kv.put(PREFIX.idempotencyRecord + textKey(record.key), record);
    this.#kv.put(expiryKey(record), record.key);
  }

  async removeExpired(now: string, limit: number): Promise<void> {
    const range = { from: PREFIX.idempotencyRecordByExpiry, to: PREFIX.idempotencyRecordByExpiry + timeKey(now) };
    for (const [expiry, key] of this.#kv.range(range, limit, false)) {
      this.#kv.remove(expiry);
      this.#kv.remove(PREFIX.idempotencyRecord + textKey(key as string));
    }
  }
}

function expiryKey({ key, expiresAt }: IdempotencyRecord): string {
  return PREFIX.idempotencyRecordByExpiry + timeKey(expiresAt) + textKey(key);
}

const SETTINGS = `${PREFIX.about}settings`;

export class KvSettings implements SettingsRepository {
  readonly #kv: Kv;

  constructor(kv: Kv) {
    this.#kv = kv;
  }

  async get(): Promise<ServiceSettings | null> {
    return (this.#kv.get(SETTINGS) as ServiceSettings | undefined) ?? null;
  }

  async put(settings: ServiceSettings): Promise<void> {
    this.#kv.put(SETTINGS, settings);
  }
}
