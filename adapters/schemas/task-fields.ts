import { Type, type TOptional, type TSchema, type TUnsafe } from 'typebox';
import type { RecordField } from '../../core/model/content/record-field.ts';
import type { WithMetadata } from '../../core/model/metadata.ts';
import type { SeenTask } from '../../core/model/content/task-query.ts';
import { TASK_FIELDS, type TaskField, type WrittenTask } from '../../core/model/content/task.ts';
import {
  date,
  externalId,
  flag,
  id,
  integer,
  metadata,
  name,
  nullable,
  optional,
  orderKey,
  text,
  time,
} from './fields.ts';

/** Schemas of the fields of a task, from the table of its fields. */

const PLAIN = { id, orderKey, flag, date, time, externalId, ids: () => Type.Array(id()) };

function valueSchema(row: RecordField): TSchema {
  if (row.kind === 'part' || row.kind === 'links')
    throw new TypeError('This is no field that anybody is shown as it is stored.');
  if (row.kind === 'metadata') return metadata;
  if (row.kind === 'name') return name(row.maxLength, row.example === undefined ? {} : { examples: [row.example] });
  if (row.kind === 'text') return text(row.maxLength);
  if (row.kind === 'integer') return integer(row.minimum, row.maximum);
  return PLAIN[row.kind]();
}

function described(schema: TSchema, about: string | undefined): TSchema {
  return about === undefined ? schema : { ...schema, description: about };
}

/** Counts of the parts that a task is shown with outside of lists. */
const COUNTS = ['commentCount', 'checklistTotal', 'checklistDone'] as const satisfies readonly TaskField[];

type Count = (typeof COUNTS)[number];
type ShownTaskField = Exclude<TaskField, 'boardEdits' | 'links' | Count>;
type ShownFields = { [F in ShownTaskField]-?: TUnsafe<WithMetadata<SeenTask>[F]> };

export const HIDDEN = 'Null if the caller may not see the board.';

function shownSchema(row: RecordField): TSchema {
  const hides = row.ofBoard === true && row.kind !== 'ids';
  const about = hides ? [row.about, HIDDEN].filter(Boolean).join(' ') : row.about;
  const schema = described(valueSchema(row), about);
  return row.nullable === true || hides ? nullable(schema) : schema;
}

const rows = Object.entries<RecordField>(TASK_FIELDS);

/** The fields in a record that is read. Those of the board are null if the board is hidden. */
export const shownFields = Object.fromEntries(
  rows.flatMap(([field, row]) =>
    row.kind === 'part' || row.kind === 'links' || (COUNTS as readonly string[]).includes(field)
      ? []
      : [[field, shownSchema(row)] as const],
  ),
) as unknown as ShownFields;

/** The counts in a list. */
export const countFields = Object.fromEntries(
  COUNTS.map((field) => [field, shownSchema(TASK_FIELDS[field])] as const),
) as unknown as { [F in Count]: TUnsafe<number> };

type WrittenFields = { [W in keyof WrittenTask]: TUnsafe<WrittenTask[W]> };

function writtenSchema(field: string, row: RecordField): TSchema {
  const { as, about = as === field ? row.about : undefined } = row.written!;
  const schema = described(valueSchema(row), about);
  return row.nullable === true ? nullable(schema) : schema;
}

/** The fields that are written unchanged, by their names in inputs. */
export const writtenFields = Object.fromEntries(
  rows.flatMap(([field, row]) =>
    row.written === undefined ? [] : [[row.written.as, writtenSchema(field, row)] as const],
  ),
) as unknown as WrittenFields;

/** The same, each of which may be absent. */
export const optionalFields = Object.fromEntries(
  Object.entries(writtenFields).map(([written, schema]) => [written, optional(schema)]),
) as unknown as { [W in keyof WrittenTask]: TOptional<TUnsafe<WrittenTask[W]>> };
