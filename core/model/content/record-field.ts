/**
 * The type of a field's values. `id`: a UUID; `ids`: several; `name`: a string that is trimmed and not empty; `date`:
 * `YYYY-MM-DD`; `time`: ISO 8601 in UTC with milliseconds.
 */
type FieldType =
  | { readonly kind: 'id' | 'ids' | 'orderKey' | 'flag' | 'date' | 'time' | 'externalId' }
  | { readonly kind: 'name' | 'text'; readonly maxLength: number }
  | { readonly kind: 'integer'; readonly minimum: number; readonly maximum: number }
  /** An optional nested object. */
  | { readonly kind: 'part'; readonly fields: Readonly<Record<string, 'integer' | 'time'>> }
  /** Fields that few records have, see {@link isExtra}. */
  | { readonly kind: 'metadata' | 'links' };

/**
 * The declaration of one field of a stored record. Schemas, stored layouts, exports and writable fields are derived
 * from it.
 *
 * @typeParam T the type of its values
 */
export type RecordField<T = unknown> = FieldType & {
  readonly nullable?: true;
  /** Another field that usually has the same value. */
  readonly like?: string;
  /** Its description in schemas. */
  readonly about?: string;
  readonly example?: T;
  /** Present if callers may write it: its name in inputs, and its description there, if it differs. */
  readonly written?: { readonly as: string; readonly about?: string };
  /** Whether lists can be sorted by it. */
  readonly sorts?: true;
  /** Whether it is visible only to those who see the board. */
  readonly ofBoard?: true;
  /**
   * The version of the stored layout that added it, from 2 on, and its value in older records. Absent: it is in the
   * first layout.
   */
  readonly added?: { readonly layout: number; readonly before: T };
};

/** The fields of a record, in their declared order. */
export type RecordFields = Readonly<Record<string, RecordField>>;

/** Whether few records have it: it is absent where there is nothing, and no layout of stored records names it. */
export function isExtra({ kind }: RecordField): boolean {
  return kind === 'metadata' || kind === 'links';
}

/** Fields added after the first layout, with their values in older records. */
export function addedFields(fields: RecordFields): readonly (readonly [field: string, before: unknown])[] {
  return Object.entries(fields).flatMap(([field, { added }]) =>
    added === undefined ? [] : [[field, added.before] as const],
  );
}

/** The record with missing fields added, in the declared order. The same object if none is missing. O(fields added). */
export function completedBy<T extends object>(fields: RecordFields, stored: T): T {
  const added = addedFields(fields);
  if (added.every(([field]) => field in stored)) return stored;
  return inDeclaredOrder(fields, { ...Object.fromEntries(added), ...stored });
}

/** The record with its fields in the declared order. */
export function inDeclaredOrder<T extends object>(fields: RecordFields, record: T): T {
  return Object.fromEntries(
    Object.keys(fields).flatMap((field) => (field in record ? [[field, record[field as keyof T]]] : [])),
  ) as T;
}
