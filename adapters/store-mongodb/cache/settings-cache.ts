import type { ServiceSettings } from '../../../core/model/service-settings.ts';

/** How long settings that were read count, in ms. */
const FRESH_FOR = 5_000;

/** The settings that a process read last, so that a write hardly ever waits for them. */
export class SettingsCache {
  #read: { readonly settings: ServiceSettings | null; readonly until: number } | null = null;

  /** Undefined: to be read anew. */
  get(): ServiceSettings | null | undefined {
    return this.#read !== null && this.#read.until > performance.now() ? this.#read.settings : undefined;
  }

  put(settings: ServiceSettings | null): void {
    this.#read = { settings, until: performance.now() + FRESH_FOR };
  }

  clear(): void {
    this.#read = null;
  }
}
