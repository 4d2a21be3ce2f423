import { invalid } from '../../kernel/errors.ts';
import { cursorIn, positionIn } from '../../kernel/list-cursor.ts';
import type { SortKey, SortValue } from '../../model/content/task-query.ts';

/**
 * A cursor holds where a slice of a list ended: its sort, and the sort values of its last task.
 *
 * @param list key of the list
 */
export function cursorOf(values: readonly SortValue[], sort: readonly SortKey[], list: string): string {
  return cursorIn(list, JSON.stringify([sortText(sort), ...values]));
}

/** The sort values in a cursor. @throws `invalid-input` for anything but a cursor of this list in this order */
export function sortValuesIn(cursor: string, sort: readonly SortKey[], list: string): SortValue[] {
  const parts = parse(positionIn(list, cursor) as string);
  const [name, ...values] = parts;
  if (name !== sortText(sort) || values.length !== sort.length || !values.every(isSortValue)) {
    throw invalid('/cursor', 'is not a cursor of this list with this sort order');
  }
  return values;
}

function sortText(sort: readonly SortKey[]): string {
  return sort.map(({ field, descending }) => (descending ? '-' : '') + field).join();
}

function parse(cursor: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(cursor);
    return Array.isArray(parts) ? parts : [];
  } catch {
    return [];
  }
}

function isSortValue(value: unknown): value is SortValue {
  return value === null || typeof value === 'string' || typeof value === 'number';
}
