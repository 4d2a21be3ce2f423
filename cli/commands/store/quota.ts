import { QUOTA_NAMES, QUOTAS, type QuotaName } from '../../../core/model/service/quotas.ts';
import type { QuotaLimits } from '../../../core/service/quotas.ts';
import type { CommandCall } from '../../call.ts';
import { parseQuotas, UNLIMITED } from '../../config/quotas.ts';
import type { TableColumn } from '../../output/table/column.ts';
import { type Noun, verb } from '../../verb.ts';

interface QuotaRow {
  readonly quota: QuotaName;
  /** The limit; null: unlimited. */
  readonly limit: number | null;
}

const COLUMNS: readonly TableColumn<QuotaRow>[] = [
  { title: 'quota', text: ({ quota }) => quota },
  { title: 'limit', text: ({ limit }) => String(limit ?? UNLIMITED) },
  { title: 'counts', cut: true, text: ({ quota }) => `${QUOTAS[quota].counted} of ${QUOTAS[quota].of}` },
];

const FIELDS = ['quota', 'limit'];

export const quota: Noun = {
  name: 'quota',
  summary: 'Quotas limit what a store may hold; its operator and service administrators set them.',
  verbs: [
    verb({
      name: 'list',
      summary: 'list quotas and their limits',
      uses: ['quotas.get'],
      moreFields: FIELDS,
      examples: ['quota list', 'quota list --json'],
      async run(call) {
        await show(call, await (await call.session()).quotas.get());
      },
    }),
    verb({
      name: 'set',
      summary: 'set quotas for every process on the store',
      uses: ['quotas.update'],
      moreFields: FIELDS,
      args: [{ spec: '<list>', summary: `such as tasks=10000,depth=${UNLIMITED}; others stay unchanged` }],
      examples: ['quota set tasks=10000,comments=500', `quota set depth=${UNLIMITED}`],
      async run(call) {
        const quotas = parseQuotas(call.arg(0), 'The list');
        await show(call, await (await call.session()).quotas.update(quotas));
      },
    }),
  ],
};

function show(call: CommandCall, limits: QuotaLimits): Promise<void> {
  return call.out.list(
    QUOTA_NAMES.map((name) => ({ quota: name, limit: limits[name] })),
    COLUMNS,
  );
}
