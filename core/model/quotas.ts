import { conflict, invalid, type EspalierError } from '../kernel/errors.ts';

/** Upper limits, whole numbers from 1. Absent: unlimited. */
export interface Quotas {
  /** Active ones of a workspace. */
  readonly members?: number;
  /** Of a workspace, of every type. */
  readonly pages?: number;
  /** How deep pages of a workspace are nested; 1 is the top alone. */
  readonly depth?: number;
  /** Of a workspace. */
  readonly boards?: number;
  /** Of a workspace. */
  readonly tasks?: number;
  /** Of a board. */
  readonly statuses?: number;
  /** Of a board. */
  readonly tags?: number;
  /** Of a task. */
  readonly comments?: number;
}

export type QuotaName = keyof Quotas;

const SAID: Readonly<Record<QuotaName, (most: number) => string>> = {
  members: (most) => `A workspace may have ${most} members here`,
  pages: (most) => `A workspace may have ${most} pages here`,
  depth: (most) => `Pages may be nested ${most} deep here`,
  boards: (most) => `A workspace may have ${most} boards here`,
  tasks: (most) => `A workspace may have ${most} tasks here`,
  statuses: (most) => `A board may have ${most} statuses here`,
  tags: (most) => `A board may have ${most} tags here`,
  comments: (most) => `A task may have ${most} comments here`,
};

export const QUOTA_NAMES = Object.keys(SAID) as readonly QuotaName[];

/** @throws `invalid-input` for an unknown name, and for anything but a whole number from 1 */
export function requireQuotas(quotas: Quotas): void {
  for (const [name, most] of Object.entries(quotas) as [string, unknown][]) {
    if (!Object.hasOwn(SAID, name)) throw invalid(`/quotas/${name}`, `is none of ${QUOTA_NAMES.join(', ')}`);
    if (most !== undefined && !(Number.isSafeInteger(most) && Number(most) >= 1)) {
      throw invalid(`/quotas/${name}`, 'must be a whole number from 1');
    }
  }
}

/**
 * What exceeds a quota that was set later may stay and shrink, but not grow.
 *
 * @throws `quota-exceeded`
 */
export function requireWithin(quotas: Quotas, name: QuotaName, before: number, after: number): void {
  const most = quotas[name];
  if (most !== undefined && after > most && after > before) throw quotaExceeded(name, most);
}

/** Names the limit, not the count: some of it may be hidden from the caller. */
export function quotaExceeded(name: QuotaName, most: number): EspalierError {
  return conflict('quota-exceeded', `${SAID[name](most)}: make room, or ask who runs the service for more.`);
}
