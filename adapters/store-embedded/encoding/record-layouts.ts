import type { Change, LoggedChange } from '../../../core/model/log/change.ts';
import { isExtra, type RecordField } from '../../../core/model/content/record-field.ts';
import { TASK_FIELDS } from '../../../core/model/content/task.ts';
import { compile, literal } from '../../store-kv/engine/compile.ts';
import type { ChainedChange } from '../../store-kv/history/logged-change.ts';

type Ids = readonly (string | null)[];
type Values = readonly unknown[];
type Fields = Readonly<Record<string, RecordField>>;

/** The binary layout of a frequent kind of record: ids in 16 bytes each, the rest as JSON. */
export interface Shape {
  /** In the order in which records have them. */
  readonly fields: readonly string[];
  /** Fields of which a record has at least one, wherever. Absent: it has no others. */
  readonly extras?: ReadonlySet<string>;
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

/** Stored in place of a value that equals that of its `like` field. */
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

const LOGGED_CHANGE: Shape = shape<LoggedChange>(
  7,
  0,
  (change) => ({
    ids: [
      change.recordId,
      change.pageId,
      change.fromPageId,
      change.boardId,
      change.fromBoardId,
      change.taskId,
      change.userId,
    ],
    lists: [],
    rest: [
      change.seq,
      change.part,
      change.kind,
      change.action,
      change.version,
      change.fields,
      change.requestId,
      change.at,
      change.revision,
      change.fromRevision,
    ],
  }),
  (ids, _, v) => ({
    seq: v[0],
    part: v[1],
    kind: v[2],
    action: v[3],
    recordId: ids[0],
    version: v[4],
    pageId: ids[1],
    fromPageId: ids[2],
    boardId: ids[3],
    fromBoardId: ids[4],
    taskId: ids[5],
    fields: v[5],
    userId: ids[6],
    requestId: v[6],
    at: v[7],
    revision: v[8],
    fromRevision: v[9],
  }),
);

const CHAINED_CHANGE: Shape = shape<Omit<ChainedChange, 'stride'>>(
  7,
  0,
  (change) => {
    const { ids, rest } = LOGGED_CHANGE.parts(change);
    return { ids, lists: [], rest: [...rest, change.verb, change.changes, change.previous, change.number] };
  },
  (ids, _, v) => ({
    seq: v[0],
    part: v[1],
    kind: v[2],
    action: v[3],
    recordId: ids[0],
    version: v[4],
    pageId: ids[1],
    fromPageId: ids[2],
    boardId: ids[3],
    fromBoardId: ids[4],
    taskId: ids[5],
    fields: v[5],
    userId: ids[6],
    requestId: v[6],
    at: v[7],
    revision: v[8],
    fromRevision: v[9],
    verb: v[10],
    changes: v[11],
    previous: v[12],
    number: v[13],
  }),
);

/**
 * The shape with the fields of a layout version. Decoded records also have the fields added later. All extra fields are
 * one object at the end: so a shape serves for each combination of them, and for those that are added.
 */
function shapeWith(fields: Fields, layout: number, withPart: boolean, withExtras = false): Shape {
  const extras = Object.keys(fields).filter((field) => isExtra(fields[field]!));
  const all = Object.entries(fields).filter(([field]) => !extras.includes(field));
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
  const given = literal(extras.map((field) => [field, `record.${field}`]));
  const behind = withExtras ? next(rest, 'rest', given) : null;
  const decoded = literal(before);
  return {
    fields: here.map(([field]) => field),
    ...(withExtras && { extras: new Set(extras) }),
    ids: ids.length,
    lists: lists.length,
    parts: compile(['record'], `{ ids: ${list(ids)}, lists: ${list(lists)}, rest: ${list(rest)} }`),
    record: compile(['ids', 'lists', 'rest'], behind === null ? decoded : `Object.assign(${decoded}, ${behind})`),
  };
}

/**
 * The shapes of records with these fields that have some of the extra fields, in the last layout: without the optional
 * part, then with it.
 */
export function shapesWithExtras(fields: Fields): readonly Shape[] {
  const last = lastLayout(fields);
  return [shapeWith(fields, last, false, true), shapeWith(fields, last, true, true)];
}

function lastLayout(fields: Fields): number {
  return Math.max(1, ...Object.values(fields).map(({ added }) => added?.layout ?? 1));
}

/** The shapes of records with these fields, per layout version: without the optional part, then with it. */
export function shapesOf(fields: Fields): readonly Shape[] {
  return Array.from({ length: lastLayout(fields) }, (_, i) => [
    shapeWith(fields, i + 1, false),
    shapeWith(fields, i + 1, true),
  ]).flat();
}

const [task, taskWithEdits, ...laterTasks] = shapesOf(TASK_FIELDS);

/** Stored records contain indexes into this list: shapes may be appended, never changed or moved. */
export const SHAPES: readonly Shape[] = [
  task!,
  CHANGE,
  taskWithEdits!,
  LOGGED_CHANGE,
  CHAINED_CHANGE,
  ...shapesWithExtras(TASK_FIELDS),
  ...laterTasks,
];

/** The index of the shape of a record, or -1. */
export function shapeOf(record: object): number {
  const fields = Object.keys(record);
  return SHAPES.findIndex((each) => isOf(each, fields));
}

function isOf({ fields, extras }: Shape, given: readonly string[]): boolean {
  if (extras === undefined) return fields.length === given.length && fields.every((field, i) => field === given[i]);
  if (given.length <= fields.length) return false;
  const others = given.filter((field) => !extras.has(field));
  return others.length === fields.length && fields.every((field, i) => field === others[i]);
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
