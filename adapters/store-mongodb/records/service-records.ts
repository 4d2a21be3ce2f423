import type { IdempotencyRecord } from '../../../core/model/log/idempotency-record.ts';
import type { ServiceSettings } from '../../../core/model/service/service-settings.ts';
import type { ActivityRepository, IdempotencyRepository, SettingsRepository } from '../../../core/ports/store.ts';
import type { VersionedCache } from '../caches.ts';
import { byIds, type DocumentWriter, toDoc } from '../query/documents.ts';
import { type Doc, queryById } from '../query/query.ts';

export class MongodbActivity implements ActivityRepository {
  readonly #documents: DocumentWriter;

  constructor(documents: DocumentWriter) {
    this.#documents = documents;
  }

  async touch(subject: string, at: string): Promise<void> {
    const write = { updateOne: { filter: { _id: { $eq: subject } }, update: { $max: { at } }, upsert: true } };
    await this.#documents.update('activity', write);
  }

  async of(subjects: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const docs = await byIds(this.#documents, 'activity', subjects);
    return new Map(docs.map((doc) => [doc._id, doc['at'] as string]));
  }
}

/** When the server removes an idempotency record, in ms after it is written: after its expiry by any clock. */
const REMOVED_AFTER = 25 * 3_600_000;

/** A record is stored as text, as its output may be any value. */
export class MongodbIdempotencyRecords implements IdempotencyRepository {
  readonly #documents: DocumentWriter;

  constructor(documents: DocumentWriter) {
    this.#documents = documents;
  }

  async get(key: string): Promise<IdempotencyRecord | null> {
    const doc = await this.#documents.one(queryById('idempotency', key));
    return doc === null ? null : (JSON.parse(doc['record'] as string) as IdempotencyRecord);
  }

  async put(record: IdempotencyRecord): Promise<void> {
    const expiresAt = new Date(Date.now() + REMOVED_AFTER);
    await this.#documents.replace('idempotency', { _id: record.key, record: JSON.stringify(record), expiresAt });
  }

  async removeExpired(): Promise<void> {
    // The server removes them, by an index: writers that all removed the same records would conflict.
  }
}

const SETTINGS_ID = 'service';

export class MongodbSettings implements SettingsRepository {
  readonly #documents: DocumentWriter;
  readonly #cache: VersionedCache<ServiceSettings | null>;

  constructor(documents: DocumentWriter, cache: VersionedCache<ServiceSettings | null>) {
    this.#documents = documents;
    this.#cache = cache;
  }

  async get({ latest = false } = {}): Promise<ServiceSettings | null> {
    const cached = latest ? undefined : this.#cache.latest(SETTINGS_ID);
    if (cached !== undefined) return cached.value;
    const doc = await this.#documents.one(queryById('settings', SETTINGS_ID));
    const settings = doc === null ? null : fromSettingsDoc(doc);
    this.#cache.set(SETTINGS_ID, 0, settings);
    return settings;
  }

  async put(settings: ServiceSettings): Promise<void> {
    this.#cache.delete(SETTINGS_ID);
    await this.#documents.replace('settings', toDoc({ id: SETTINGS_ID, ...settings }));
  }
}

function fromSettingsDoc({ _id: _, ...settings }: Doc): ServiceSettings {
  return settings as unknown as ServiceSettings;
}
