import { EspalierError, type FieldError } from './errors.ts';

/** Names of other records, which may have changed since the record was read. */
const NAMES = 'expanded';

/**
 * The changes of a partial update. An absent field is unchanged. A read-only field is ignored if it equals what the
 * caller reads, so that a record can be read, edited and sent back.
 *
 * `expanded` is ignored.
 *
 * @param input the fields sent
 * @param shown the record as the caller reads it
 * @param writable names of the fields that may be written
 * @param ids names of fields that only address the record
 * @param derived names of fields that change without the version: with the version of the record, any value is ignored
 * @returns the writable fields that were sent and differ from what is shown
 * @throws `invalid-input` for a read-only field with another value, or a field the record does not have
 */
export function changesOf<T extends object, K extends keyof T & string>(
  input: T,
  shown: object,
  writable: readonly K[],
  ids: readonly string[] = [],
  derived: readonly string[] = [],
): Partial<Pick<T, K>> {
  const current = shown as Record<string, unknown>;
  const changes: Record<string, unknown> = {};
  const errors: FieldError[] = [];
  const isCurrent = 'version' in input && input.version === current['version'];
  for (const field of Object.keys(input)) {
    const value = input[field as K];
    if (value === undefined || field === NAMES || ids.includes(field) || (isCurrent && derived.includes(field)))
      continue;
    const known = Object.hasOwn(current, field);
    if (known && sameJson(value, current[field])) continue;
    if ((writable as readonly string[]).includes(field)) changes[field] = value;
    else errors.push({ pointer: `/${field}`, detail: known ? 'is read-only' : 'is not a field of this record' });
  }
  if (errors.length > 0) throw new EspalierError('invalid-input', 'The input is not valid.', errors);
  return changes as Partial<Pick<T, K>>;
}

export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every(
    (key) =>
      Object.hasOwn(b, key) && sameJson((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]),
  );
}
