import { requireAdministrator } from '../access/identify.ts';
import { changesOf } from '../kernel/partial-update.ts';
import { changed, expectVersion, timestamp, type Versioned } from '../kernel/record.ts';
import {
  QUOTA_NAMES,
  quotasInForce,
  requireQuotas,
  type QuotaName,
  type QuotaSettings,
} from '../model/service/quotas.ts';
import { DEFAULT_SETTINGS, type ServiceSettings } from '../model/service/service-settings.ts';
import type { Context } from '../ports/context.ts';
import { read, write } from '../write/transaction.ts';

/** Every quota of a store with its limit; null: unlimited. */
export interface QuotaLimits extends Versioned, LimitByQuota {}

/** A mapped type keeps the doc comments of the quotas. */
type LimitByQuota = { readonly [Name in keyof QuotaSettings]-?: number | null };

/**
 * The quotas of the store, including defaults; an engine may have smaller ones. For service administrators and the
 * operator.
 */
export function getQuotas(context: Context): Promise<QuotaLimits> {
  return read(context, async (tx) => {
    await requireAdministrator(tx, context);
    return limitsOf((await tx.settings.get({ latest: true })) ?? DEFAULT_SETTINGS);
  });
}

/**
 * Sets quotas of the store, for every process on it: absent is unchanged, null is unlimited. Counts that exceed a quota
 * already may stay or shrink. For service administrators and the operator.
 *
 * @throws `invalid-input` for an unknown name or a limit out of bounds
 */
export function updateQuotas(context: Context, input: QuotaSettings): Promise<QuotaLimits> {
  return write(context, async (tx) => {
    await requireAdministrator(tx, context);
    const settings = (await tx.settings.get({ latest: true })) ?? DEFAULT_SETTINGS;
    expectVersion(context, settings);
    const shown = limitsOf(settings);
    const given = Object.entries(changesOf(input, shown, QUOTA_NAMES)) as [QuotaName, number | null][];
    requireQuotas(Object.fromEntries(given.filter(([, limit]) => limit !== null)));
    const named = QUOTA_NAMES.filter((name) => input[name] !== undefined);
    const quotas = { ...settings.quotas, ...Object.fromEntries(named.map((name) => [name, input[name]])) };
    if (named.every((name) => quotas[name] === settings.quotas[name])) return shown;
    // Storing a value equal to the default pins it, but changes nothing that is shown, so the version stays.
    const next = given.length === 0 ? { ...settings, quotas } : changed(settings, { quotas }, timestamp(context));
    await tx.settings.put(next);
    return limitsOf(next);
  });
}

function limitsOf({ quotas, createdAt, updatedAt, version }: ServiceSettings): QuotaLimits {
  const inForce = quotasInForce(quotas);
  const limits = Object.fromEntries(QUOTA_NAMES.map((name) => [name, inForce[name] ?? null]));
  return { ...(limits as Record<QuotaName, number | null>), createdAt, updatedAt, version };
}
