import type { Change } from '../../../core/model/log/change.ts';
import { isExtra, type RecordFields } from '../../../core/model/content/record-field.ts';
import { TASK_FIELDS } from '../../../core/model/content/task.ts';
import { compile, literal } from '../../store-kv/engine/compile.ts';
import { CHAINED_FIELDS, type FieldKind, LOGGED_FIELDS } from '../../store-kv/history/logged-change.ts';

type IdList = readonly (string | null)[];
type ValueList = readonly unknown[];

/** The binary encoding of a frequent kind of record: ids in 16 bytes each, the rest as JSON. */
export interface RecordCodec {
  /** The fields, in their order in records. */
  readonly fields: readonly string[];
  /**
   * Optional fields of which a record has at least one, in any position. Absent: the codec is only for records without
   * such fields.
   */
  readonly extras?: ReadonlySet<string>;
  readonly ids: number;
  readonly lists: number;
  parts(record: object): RecordParts;
  record(ids: IdList, lists: readonly IdList[], rest: ValueList): object;
}

export interface RecordParts {
  readonly ids: IdList;
  /** Lists of ids. */
  readonly lists: readonly IdList[];
  readonly rest: ValueList;
}

/** Stored in place of a value that equals that of its `like` field. */
const SAME_AS_LIKE = 0;

const CHANGE = flatCodec({
  id: 'id',
  workspaceId: 'id',
  kind: 'value',
  action: 'value',
  recordId: 'id',
  version: 'value',
  userId: 'id',
  requestId: 'value',
  at: 'value',
} satisfies Record<keyof Change, FieldKind>);

const LOGGED_CHANGE = flatCodec(LOGGED_FIELDS);

const CHAINED_CHANGE = flatCodec(CHAINED_FIELDS);

/**
 * The codec with the fields of a layout version. Decoded records also have the fields added later. All extra fields are
 * stored as one object at the end, so that one codec serves for every combination of them, and for extra fields that
 * are added later.
 */
function codecWith(fields: RecordFields, layout: number, withPart: boolean, withExtras = false): RecordCodec {
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
      const own = next(rest, 'rest', `${source} === record.${row.like} ? ${SAME_AS_LIKE} : ${source}`);
      return [field, `${own} === ${SAME_AS_LIKE} ? ${other} : ${own}`];
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
 * The codecs of records with these fields that have some of the extra fields, in the last layout: without the optional
 * part, then with it.
 */
function codecsWithExtras(fields: RecordFields): readonly RecordCodec[] {
  const last = lastLayout(fields);
  return [codecWith(fields, last, false, true), codecWith(fields, last, true, true)];
}

function lastLayout(fields: RecordFields): number {
  return Math.max(1, ...Object.values(fields).map(({ added }) => added?.layout ?? 1));
}

/** The codecs of records with these fields, per layout version: without the optional part, then with it. */
export function codecsOf(fields: RecordFields): readonly RecordCodec[] {
  return Array.from({ length: lastLayout(fields) }, (_, i) => [
    codecWith(fields, i + 1, false),
    codecWith(fields, i + 1, true),
  ]).flat();
}

const [task, taskWithEdits, ...laterTasks] = codecsOf(TASK_FIELDS);

/** Stored records contain indexes into this list: codecs may be appended, never changed or moved. */
export const CODECS: readonly RecordCodec[] = [
  task!,
  CHANGE,
  taskWithEdits!,
  LOGGED_CHANGE,
  CHAINED_CHANGE,
  ...codecsWithExtras(TASK_FIELDS),
  ...laterTasks,
];

/** The index of the codec of a record, or -1. */
export function codecOf(record: object): number {
  const fields = Object.keys(record);
  return CODECS.findIndex((each) => isOf(each, fields));
}

function isOf({ fields, extras }: RecordCodec, given: readonly string[]): boolean {
  if (extras === undefined) return fields.length === given.length && fields.every((field, i) => field === given[i]);
  if (given.length <= fields.length) return false;
  const others = given.filter((field) => !extras.has(field));
  return others.length === fields.length && fields.every((field, i) => field === others[i]);
}

/** The codec of a record of ids and values, without lists and optional parts. */
function flatCodec(fields: Readonly<Record<string, FieldKind>>): RecordCodec {
  const names = Object.keys(fields);
  const ids = names.filter((name) => fields[name] === 'id');
  const rest = names.filter((name) => fields[name] === 'value');
  const sources = (of: readonly string[]) => `[${of.map((name) => `record.${name}`).join(', ')}]`;
  const place = (name: string) => (fields[name] === 'id' ? `ids[${ids.indexOf(name)}]` : `rest[${rest.indexOf(name)}]`);
  return {
    fields: names,
    ids: ids.length,
    lists: 0,
    parts: compile(['record'], `{ ids: ${sources(ids)}, lists: [], rest: ${sources(rest)} }`),
    record: compile(['ids', 'lists', 'rest'], literal(names.map((name) => [name, place(name)]))),
  };
}
