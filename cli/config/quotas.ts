import {
  isLimit,
  isQuotaName,
  largestLimit,
  QUOTA_NAMES,
  type QuotaName,
  type QuotaSettings,
} from '../../core/model/service/quotas.ts';
import { usage } from '../io/failure.ts';

/** The word for no limit. */
export const UNLIMITED = 'none';

/**
 * Reads quotas from a list like `tasks=10000,depth=none`.
 *
 * @param from name of the option or argument, for errors
 * @throws a usage failure for anything else
 */
export function parseQuotas(list: string, from: string): QuotaSettings {
  const quotas: Partial<Record<QuotaName, number | null>> = {};
  for (const part of list.split(',')) {
    const [, name = '', limit = ''] = /^\s*(\w+)=(\w+)\s*$/.exec(part) ?? [];
    if (!isQuotaName(name)) {
      throw usage(
        `${from} must look like tasks=10000,depth=none, not ${JSON.stringify(part)}.`,
        `Quotas: ${QUOTA_NAMES.join(', ')}.`,
      );
    }
    if (quotas[name] !== undefined) throw usage(`${from} names ${name} twice.`);
    if (limit !== UNLIMITED && !(/^\d+$/.test(limit) && isLimit(name, Number(limit)))) {
      throw usage(`${from}: ${name} must be a whole number from 1 to ${largestLimit(name)}, or ${UNLIMITED}.`);
    }
    quotas[name] = limit === UNLIMITED ? null : Number(limit);
  }
  return quotas;
}
