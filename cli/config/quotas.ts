import { QUOTA_NAMES, type QuotaName, type Quotas } from '../../core/model/quotas.ts';
import { usage } from '../io/failure.ts';
import type { Settings } from './settings.ts';

/** What is set as `tasks=10000,depth=8`. @throws a usage failure for anything else */
export function quotasOf(settings: Settings): Quotas | undefined {
  const given = settings.get('quotas');
  if (given === undefined) return undefined;
  const quotas: Partial<Record<QuotaName, number>> = {};
  for (const part of given.value.split(',')) {
    const [, name = '', most = ''] = /^\s*(\w+)=(\d+)\s*$/.exec(part) ?? [];
    if (!isName(name) || !/^[1-9]\d{0,14}$/.test(most)) {
      throw usage(
        `${given.from} must be like tasks=10000,depth=8, not ${JSON.stringify(part)}.`,
        `Quotas there are: ${QUOTA_NAMES.join(', ')}; each a number from 1.`,
      );
    }
    if (quotas[name] !== undefined) throw usage(`${given.from} names ${name} twice.`);
    quotas[name] = Number(most);
  }
  return quotas;
}

function isName(name: string): name is QuotaName {
  return (QUOTA_NAMES as readonly string[]).includes(name);
}
