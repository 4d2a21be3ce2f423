import { created, type Versioned } from '../../kernel/record.ts';
import type { KeepChanges } from '../log/kept-changes.ts';
import type { QuotaSettings } from './quotas.ts';

/** Settings of a store, for every process on it. A store has at most one such record. */
export interface ServiceSettings extends Versioned {
  /** The quotas that were set. The defaults hold for the rest. */
  readonly quotas: QuotaSettings;
  /** Absent: never set. */
  readonly keepChanges?: KeepChanges;
  /** How long deleted records stay in the trash, in seconds. 0: they are removed at once. Absent: never set. */
  readonly trashSeconds?: number;
}

/** The settings of a store where none were set. */
export const DEFAULT_SETTINGS: ServiceSettings = { quotas: {}, ...created('1970-01-01T00:00:00.000Z') };
