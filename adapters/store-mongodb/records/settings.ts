import type { ServiceSettings } from '../../../core/model/service-settings.ts';
import type { SettingsRepository } from '../../../core/ports/store.ts';
import type { SettingsCache } from '../cache/settings-cache.ts';
import type { DocumentWriter } from '../query/document-writer.ts';
import type { Doc } from '../query/query.ts';
import { toDoc } from '../query/documents.ts';

const ID = 'service';

export class MongodbSettings implements SettingsRepository {
  readonly #documents: DocumentWriter;
  readonly #cache: SettingsCache;

  constructor(documents: DocumentWriter, cache: SettingsCache) {
    this.#documents = documents;
    this.#cache = cache;
  }

  async get(): Promise<ServiceSettings | null> {
    const cached = this.#cache.get();
    if (cached !== undefined) return cached;
    const doc = await this.#documents.byId('settings', ID);
    const settings = doc === null ? null : fromSettingsDoc(doc);
    this.#cache.put(settings);
    return settings;
  }

  async put(settings: ServiceSettings): Promise<void> {
    this.#cache.clear();
    await this.#documents.replace('settings', toDoc({ id: ID, ...settings }));
  }
}

function fromSettingsDoc({ _id: _, ...settings }: Doc): ServiceSettings {
  return settings as unknown as ServiceSettings;
}
