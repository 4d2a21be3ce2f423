import { created, type Versioned } from '../kernel/record.ts';
import type { QuotaSettings } from './quotas.ts';

/** What holds for every process that works on a store. There is at most one such record in a store. */
export interface ServiceSettings extends Versioned {
  readonly quotas: QuotaSettings;
}

/** Of a store where nothing was ever set. */
export const DEFAULT_SETTINGS: ServiceSettings = { quotas: {}, ...created('1970-01-01T00:00:00.000Z') };
