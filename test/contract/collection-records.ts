import { type CollectionSpec, type IndexSpec } from '../../core/model/collections.ts';
import { instant, newId } from './records.ts';

export type Fields = Readonly<Record<string, unknown>>;
export type Stored = Fields & { readonly id: string };

/** Seven records that an index lists, by no order of their own, and others that it does not. */
export function recordsFor(spec: CollectionSpec, index: IndexSpec, one: (fields: Fields) => Stored) {
  const { by = [], where = {}, order = [], everywhere = false } = index;
  const values = Object.fromEntries(
    [...(spec.of === 'workspace' ? ['workspaceId'] : []), ...by].map((field) => [field, newId()]),
  );
  const times = order.includes('id') ? [3, 1, 3, 2, 3, 1, 2] : [3, 1, 7, 2, 6, 4, 5];
  const listed = times.map((time, i) => {
    const timed = Object.fromEntries(
      order.filter((field) => field.endsWith('At')).map((field) => [field, instant(time)]),
    );
    const workspace = everywhere ? { workspaceId: [values['workspaceId'], OTHER_WORKSPACE][i % 2] } : {};
    return one({ ...values, ...where, ...timed, ...workspace });
  });
  const others: Stored[] = [];
  if (!everywhere) for (const field of Object.keys(values)) others.push(one({ ...values, ...where, [field]: newId() }));
  if (index.where !== undefined) others.push(one({ ...values, ...where, ...changeOf(index) }));
  return { listed: listed.toReversed(), others, values: everywhere ? {} : values };
}

const OTHER_WORKSPACE = newId();

/** What takes a record out of an index. */
export function changeOf({ where = {} }: IndexSpec): Fields {
  const [field] = Object.entries(where);
  if (field === undefined) return { updatedAt: instant(99) };
  return { [field[0]]: typeof field[1] === 'boolean' ? !field[1] : 'revoked' };
}

export function elsewhere(values: Fields): Fields {
  return Object.fromEntries(Object.keys(values).map((field) => [field, newId()]));
}

export function afterOf(record: Stored, { order }: IndexSpec): unknown {
  if (order === undefined) return record;
  return order.length === 1 && order[0] === 'id' ? record.id : picked(record, order);
}

export function picked(record: Stored, fields: readonly string[]): Fields {
  return Object.fromEntries(fields.map((field) => [field, record[field]]));
}

export function inOrder(records: readonly Stored[], { order = [] }: IndexSpec): Stored[] {
  const key = (record: Stored) => [...order, 'id'].map((field) => String(record[field])).join(' ');
  return records.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}

export function byId(records: readonly Stored[]): Stored[] {
  return inOrder(records, {});
}
