import type { TSchema } from 'typebox';
import { largestLimit, QUOTA_NAMES, QUOTAS, type QuotaName } from '../../../core/model/service/quotas.ts';
import { body, record } from '../components.ts';
import { exactly, integer, nullable, optional, put, versioned } from '../fields.ts';
import { operation } from '../operation.ts';

type LimitSchema = ReturnType<typeof limitOf>;

function limitOf(name: QuotaName) {
  const { of, counted } = QUOTAS[name];
  return nullable(integer(1, largestLimit(name)), {
    description: `The largest number of ${counted} of ${of}. Null: unlimited.`,
  });
}

function each<S extends TSchema>(schemaOf: (name: QuotaName) => S): Record<QuotaName, S> {
  return Object.fromEntries(QUOTA_NAMES.map((name) => [name, schemaOf(name)])) as Record<QuotaName, S>;
}

/** Every quota by name. */
export const QuotaLimits = record(
  'QuotaLimits',
  'The quotas of a store.',
  exactly({ ...each<LimitSchema>(limitOf), ...versioned }),
);

const UpdateQuotas = body(
  'UpdateQuotas',
  put(
    {},
    each((name) => optional(limitOf(name))),
    QuotaLimits,
  ),
);

export const quotaOperations = [
  operation('quotas.get', {
    method: 'GET',
    path: '/api/quota',
    tag: 'Service',
    summary: 'Read the quotas',
    description: 'For service administrators. The quotas as set for the store, including defaults.',
    input: exactly({}),
    output: QuotaLimits,
    example: {},
  }),
  operation('quotas.update', {
    method: 'PUT',
    path: '/api/quota',
    tag: 'Service',
    summary: 'Set quotas',
    description:
      'For service administrators. Every process on the store applies them within five seconds. What already exceeds a quota may stay and shrink, but not grow.',
    input: UpdateQuotas,
    output: QuotaLimits,
    conditional: true,
    example: { tasks: 50_000 },
  }),
];
