import type { ServiceSettings } from '../../../core/model/service-settings.ts';
import type { SettingsRepository } from '../../../core/ports/store.ts';
import { PREFIX } from '../engine/key-prefixes.ts';
import type { Kv } from '../engine/kv.ts';

const KEY = `${PREFIX.about}settings`;

export class KvSettings implements SettingsRepository {
  readonly #kv: Kv;

  constructor(kv: Kv) {
    this.#kv = kv;
  }

  async get(): Promise<ServiceSettings | null> {
    return (this.#kv.get(KEY) as ServiceSettings | undefined) ?? null;
  }

  async put(settings: ServiceSettings): Promise<void> {
    this.#kv.put(KEY, settings);
  }
}
