import type { Change } from '../../core/model/change.ts';
import type { RecordField } from '../../core/model/record-field.ts';
import { TASK_FIELDS } from '../../core/model/task.ts';
import { compile, literal } from '../store-kv/engine/compile.ts';

type Ids = readonly (string | null)[];
type Values = readonly unknown[];
type Fields = Readonly<Record<string, RecordField>>;

/** How the records of a kind that there are most of are taken apart: ids are kept in 16 bytes, the rest as JSON. */
export interface Shape {
  /** In the order in which the engine makes them. */
  readonly fields: readonly string[];
  readonly ids: number;
  readonly lists: number;
  parts(record: object): Parts;
  record(ids: Ids, lists: readonly Ids[], rest: Values): object;
}

export interface Parts {
  readonly ids: Ids;
  /** Lists of ids. */
  readonly lists: readonly Ids[];
  readonly rest: Values;
}

/** Stands for a value that is that of the field which it is mostly like. */
const SAME = 0;

const CHANGE: Shape = shape<Change>(
  4,
  0,
  ({ id, workspaceId, recordId, userId, kind, action, version, requestId, at }) => ({
    ids: [id, workspaceId, recordId, userId],
    lists: [],
    rest: [kind, action, version, requestId, at],
  }),
  (ids, _, v) => ({
    id: ids[0],
    workspaceId: ids[1],
    kind: v[0],
    action: v[1],
    recordId: ids[2],
    version: v[2],
    userId: ids[3],
    requestId: v[3],
    at: v[4],
  }),
);

/** With the fields that had come by that layout. What is read has those that came later, too. */
function shapeWith(fields: Fields, layout: number, withPart: boolean): Shape {
  const all = Object.entries(fields);
  const here = all.filter(([, { kind, added }]) => (added?.layout ?? 1) <= layout && (withPart || kind !== 'part'));
  const [ids, lists, rest]: [string[], string[], string[]] = [[], [], []];
  const next = (values: string[], name: string, source: string) => `${name}[${values.push(source) - 1}]`;
  const made = new Map(
    here.map(([field, row]): [string, string] => {
      const source = `record.${field}`;
      if (row.kind === 'id') return [field, next(ids, 'ids', source)];
      if (row.kind === 'ids') return [field, next(lists, 'lists', source)];
      if (row.kind === 'part') {
        const parts = Object.keys(row.fields).map((part): [string, string] => [
          part,
          next(rest, 'rest', `${source}.${part}`),
        ]);
        return [field, literal(parts)];
      }
      if (row.like === undefined) return [field, next(rest, 'rest', source)];
      const other = `rest[${rest.indexOf(`record.${row.like}`)}]`;
      const own = next(rest, 'rest', `${source} === record.${row.like} ? ${SAME} : ${source}`);
      return [field, `${own} === ${SAME} ? ${other} : ${own}`];
    }),
  );
  const before = all.flatMap(([field, { kind, added }]): [string, string][] =>
    made.has(field) ? [[field, made.get(field)!]] : kind === 'part' ? [] : [[field, JSON.stringify(added?.before)]],
  );
  const list = (values: readonly string[]) => `[${values.join(', ')}]`;
  return {
    fields: here.map(([field]) => field),
    ids: ids.length,
    lists: lists.length,
    parts: compile(['record'], `{ ids: ${list(ids)}, lists: ${list(lists)}, rest: ${list(rest)} }`),
    record: compile(['ids', 'lists', 'rest'], literal(before)),
  };
}

/** The shapes of records with these fields, layout after layout: without an optional part, then with it. */
export function shapesOf(fields: Fields): readonly Shape[] {
  const last = Math.max(1, ...Object.values(fields).map(({ added }) => added?.layout ?? 1));
  return Array.from({ length: last }, (_, i) => [
    shapeWith(fields, i + 1, false),
    shapeWith(fields, i + 1, true),
  ]).flat();
}

const [task, taskWithEdits, ...laterTasks] = shapesOf(TASK_FIELDS);

/** What is stored depends on these: shapes may be added, never changed or moved. */
export const SHAPES: readonly Shape[] = [task!, CHANGE, taskWithEdits!, ...laterTasks];

/** The number of the shape that a record has, or -1. */
export function shapeOf(record: object): number {
  const fields = Object.keys(record);
  return SHAPES.findIndex(
    (each) => each.fields.length === fields.length && each.fields.every((field, i) => field === fields[i]),
  );
}

function shape<T extends object>(
  ids: number,
  lists: number,
  parts: (record: T) => Parts,
  record: (ids: Ids, lists: readonly Ids[], rest: Values) => Record<keyof T, unknown>,
): Shape {
  const fields = Object.keys(record([], [], []));
  return { fields, ids, lists, parts: (each) => parts(each as T), record };
}
