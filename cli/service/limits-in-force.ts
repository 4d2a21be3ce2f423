import type { Espalier } from '../../adapters/service/index.ts';
import { unsetQuotas } from '../../adapters/service/look-ups.ts';
import { OPEN_DEFAULTS, QUOTA_NAMES } from '../../core/model/service/quotas.ts';
import type { QuotaLimits } from '../../core/service/quotas.ts';
import type { Guards } from './protection-options.ts';
import type { Setup } from './service-options.ts';

/**
 * Stores the quotas that the service is started with, and if others reach it, beyond loopback or through a proxy, the defaults
 * of quotas that were never set.
 *
 * @returns the quotas in force
 */
export async function settleQuotas(
  espalier: Espalier,
  { quotas, isOpen }: Pick<Setup, 'quotas' | 'isOpen'>,
): Promise<QuotaLimits> {
  const unset = isOpen ? await unsetQuotas(espalier) : [];
  const defaults = Object.fromEntries(unset.map((name) => [name, OPEN_DEFAULTS[name]]));
  return espalier.operator.quotas.update({ ...defaults, ...quotas });
}

/** The limits as text. */
export function limitLines(limits: Guards['limits'], quotas: QuotaLimits): string[] {
  const perMinute = Object.entries(limits ?? {}).map(([name, limit]) => `${name} ${limit}`);
  const inForce = QUOTA_NAMES.flatMap((name) => (quotas[name] === null ? [] : [`${name} ${quotas[name]}`]));
  return [
    ...(perMinute.length === 0 ? [] : [`Limits: ${perMinute.join(', ')}`]),
    `Quotas: ${inForce.length === 0 ? 'none' : inForce.join(', ')}`,
  ];
}
