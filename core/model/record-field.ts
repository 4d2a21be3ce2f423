/**
 * What the values of a field are. `id`: a UUID; `ids`: several; `name`: text that is trimmed and not empty;
 * `date`: `YYYY-MM-DD`; `time`: ISO 8601 in UTC with milliseconds.
 */
type Kind =
  | { readonly kind: 'id' | 'ids' | 'orderKey' | 'flag' | 'date' | 'time' | 'externalId' }
  | { readonly kind: 'name' | 'text'; readonly longest: number }
  | { readonly kind: 'integer'; readonly least: number; readonly most: number }
  /** An optional part of its own. */
  | { readonly kind: 'part'; readonly fields: Readonly<Record<string, 'integer' | 'time'>> };

/**
 * One field of a kind of stored records. Schemas, stored layouts, exports and what a caller may write follow from it.
 *
 * @typeParam T the type of its values
 */
export type RecordField<T = unknown> = Kind & {
  readonly nullable?: true;
  /** Another field that mostly has the same value. */
  readonly like?: string;
  /** What is said of it to who reads it. */
  readonly about?: string;
  readonly example?: T;
  /** The name under which a caller writes it as it is; and what is said of it to who does, where that differs. */
  readonly written?: { readonly as: string; readonly about?: string };
  /** Whether it is seen only by who sees the board. */
  readonly ofBoard?: true;
  /**
   * The layout of stored records with which it came, from 2 on, and the value that older records have. Absent: it
   * has always been there.
   */
  readonly added?: { readonly layout: number; readonly before: T };
};

type Fields = Readonly<Record<string, RecordField>>;

/** The fields that came later, with the values that older records have. */
export function addedFields(fields: Fields): readonly (readonly [field: string, before: unknown])[] {
  return Object.entries(fields).flatMap(([field, { added }]) =>
    added === undefined ? [] : [[field, added.before] as const],
  );
}

/** The record with the fields that it lacks, in their order. The same object when it has them all. O(fields added). */
export function completedBy<T extends object>(fields: Fields, stored: T): T {
  const added = addedFields(fields);
  if (added.every(([field]) => field in stored)) return stored;
  const whole: Record<string, unknown> = { ...Object.fromEntries(added), ...stored };
  return Object.fromEntries(
    Object.keys(fields).flatMap((field) => (field in whole ? [[field, whole[field]]] : [])),
  ) as T;
}
