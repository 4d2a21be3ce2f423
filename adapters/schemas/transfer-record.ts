import { Type, type TSchema } from 'typebox';
import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { EspalierError } from '../../core/kernel/errors.ts';
import type { TransferKind, TransferRecord } from '../../core/model/transfer-record.ts';
import { invitationFrom } from '../../core/model/workspace/invitation.ts';
import { memberFrom } from '../../core/model/workspace/member.ts';
import { pageFrom, storedPage } from '../../core/model/workspace/page.ts';
import { isExtra, type RecordField } from '../../core/model/content/record-field.ts';
import { INDEXED_KEYS } from '../../core/model/workspace/workspace.ts';
import { METADATA } from '../../core/model/metadata.ts';
import { TASK_FIELDS, taskFrom } from '../../core/model/content/task.ts';
import { LINK_ENDS, mostLinks } from '../../core/model/content/task-links.ts';
import { formats } from './formats.ts';
import { toJsonValue } from './json-value.ts';

/**
 * The types of stored records. The bounds of single fields are those of the calls that wrote
 * them; here only the types are checked, and that days and times exist.
 */
const text = Type.String();
const id = Type.String({ pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$' });
const time = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$', format: 'date-time' });
const date = Type.String({ format: 'date' });
const level = Type.Enum([0, 100, 200, 300, 400]);
const membership = Type.Integer({ minimum: 1 });
const key = Type.Integer({ minimum: -(2 ** 52), maximum: 2 ** 52 });
const orNull = (schema: TSchema) => Type.Union([schema, Type.Null()]);
const exactly = (fields: Record<string, TSchema>) => Type.Object(fields, { additionalProperties: false });
const versioned = { createdAt: time, updatedAt: time, version: Type.Integer({ minimum: 1 }) };

const metadata = Type.Unsafe({
  type: 'object',
  patternProperties: { [METADATA.key]: { type: ['string', 'number', 'boolean'], maxLength: METADATA.text } },
  additionalProperties: false,
  maxProperties: METADATA.keys,
});
/** The fields of every record that callers write. */
const own = { metadata: Type.Optional(metadata), ...versioned };

/** The import builds these indexes anew. */
const indexes = Type.Array(exactly({ key: Type.String({ pattern: METADATA.key }), id, built: Type.Boolean() }), {
  maxItems: INDEXED_KEYS,
});

const status = exactly({ id, name: text, orderKey: key, done: Type.Boolean(), ...own });
const tag = exactly({ id, name: text, color: text, ...own });

const linkedIds = (most: number) => Type.Array(id, { minItems: 1, maxItems: most, uniqueItems: true });

const KINDS = {
  id,
  ids: Type.Array(id),
  name: text,
  text,
  externalId: text,
  date,
  time,
  orderKey: key,
  flag: Type.Boolean(),
  metadata,
  links: Type.Unsafe({
    type: 'object',
    properties: Object.fromEntries(LINK_ENDS.map((end) => [end, linkedIds(mostLinks(end))])),
    additionalProperties: false,
    minProperties: 1,
  }),
};

/** A field that was added later is absent in older exports. */
function fieldType(row: RecordField): TSchema {
  if (row.kind === 'part') {
    const parts = Object.entries(row.fields).map(([part, kind]) => [
      part,
      kind === 'time' ? time : Type.Integer({ minimum: 1 }),
    ]);
    return Type.Optional(exactly(Object.fromEntries(parts)));
  }
  const type = row.kind === 'integer' ? Type.Integer({ minimum: row.minimum, maximum: row.maximum }) : KINDS[row.kind];
  const given = row.nullable === true ? orNull(type) : type;
  return row.added === undefined && !isExtra(row) ? given : Type.Optional(given);
}

const RECORDS: Readonly<Record<TransferKind, TSchema>> = {
  workspace: exactly({
    id,
    name: text,
    alias: text,
    description: text,
    defaultAccess: level,
    metadataIndexes: Type.Optional(indexes),
    ...own,
  }),
  user: exactly({
    id,
    name: text,
    email: text,
    emailVerified: Type.Boolean(),
    avatar: orNull(text),
    phone: orNull(text),
    ...versioned,
  }),
  member: exactly({
    id,
    workspaceId: id,
    userId: id,
    role: Type.Enum([10, 20, 30, 40]),
    position: text,
    active: Type.Boolean(),
    leftAt: orNull(time),
    membership: Type.Optional(membership),
    ...own,
  }),
  page: exactly({
    id,
    workspaceId: id,
    name: text,
    type: Type.Enum(['folder', 'board', 'task']),
    parentId: orNull(id),
    orderKey: key,
    contentId: orNull(id),
    boardId: orNull(id),
    createdById: id,
    settings: exactly({ inherit: Type.Boolean(), defaultAccess: orNull(level), ...versioned }),
    entries: Type.Record(id, Type.Union([level, exactly({ level, membership })])),
    template: Type.Optional(Type.Literal(true)),
    ...own,
  }),
  invitation: exactly({
    id,
    workspaceId: id,
    email: orNull(text),
    role: Type.Enum([10, 20, 30, 40]),
    pages: Type.Array(exactly({ pageId: id, access: level })),
    status: Type.Enum(['accepted', 'revoked']),
    createdById: id,
    issuerMembership: Type.Optional(membership),
    expiresAt: time,
    acceptedAt: orNull(time),
    memberId: orNull(id),
    ...versioned,
  }),
  board: exactly({
    id,
    workspaceId: id,
    name: text,
    description: text,
    externalId: orNull(text),
    createdById: id,
    statuses: Type.Array(status),
    tags: Type.Array(tag),
    ...own,
  }),
  task: exactly(Object.fromEntries(Object.entries(TASK_FIELDS).map(([field, row]) => [field, fieldType(row)]))),
  checklistItem: exactly({
    id,
    workspaceId: id,
    taskId: id,
    orderKey: key,
    text,
    done: Type.Boolean(),
    assigneeId: orNull(id),
  }),
  comment: exactly({
    id,
    workspaceId: id,
    taskId: id,
    authorId: id,
    content: text,
    edited: Type.Boolean(),
    externalId: orNull(text),
    ...own,
  }),
};

/** The schemas of the lines of an export, by the kind of the record. */
export const RECORD_SCHEMAS: ReadonlyMap<string, TSchema> = new Map(
  Object.entries(RECORDS).map(([kind, record]) => {
    const more = kind === 'workspace' ? { lastNum: Type.Integer({ minimum: 0 }) } : {};
    return [kind, exactly({ kind: Type.Literal(kind), record, ...more })];
  }),
);

let ajv: Ajv2020 | undefined;
const checks = new Map<string, ValidateFunction>();

/** Compiled at the first record of its kind: few calls need it, so the start of the service does not wait for it. */
function checkOf(kind: string): ValidateFunction | undefined {
  const known = checks.get(kind);
  const schema = RECORD_SCHEMAS.get(kind);
  if (known !== undefined || schema === undefined) return known;
  // A test checks that the schemas are valid.
  ajv ??= new Ajv2020({ allErrors: false, strict: false, validateSchema: false, formats: { ...formats } });
  const check = ajv.compile(schema);
  checks.set(kind, check);
  return check;
}

/** The value as a record of an export, as a copy. @throws the error that `fail` makes, for another value */
export function requireRecord(given: unknown, fail: (pointer: string, detail: string) => Error): TransferRecord {
  const { kind } = { ...(given as { readonly kind?: unknown } | null) };
  const check = typeof kind === 'string' ? checkOf(kind) : undefined;
  if (check === undefined) throw fail('/kind', 'is not a known kind');
  const refused = (pointer = '', detail = 'is not valid') => fail(pointer, `holds a ${String(kind)} that ${detail}`);
  const value = copyOf(given, refused);
  if (check(value)) return upgraded(value as TransferRecord);
  const [error] = check.errors ?? [];
  throw refused(error?.instancePath, error?.message);
}

function copyOf(given: unknown, refused: (pointer?: string, detail?: string) => Error): unknown {
  try {
    return toJsonValue(given).value;
  } catch (error) {
    const [first] = error instanceof EspalierError ? error.errors : [];
    throw first === undefined ? error : refused(first.pointer, first.detail);
  }
}

/** Converts a record of an export by an earlier release to the form of this one. */
function upgraded(transferred: TransferRecord): TransferRecord {
  const { kind, record } = transferred;
  if (kind === 'member') return { kind, record: memberFrom(record) };
  if (kind === 'invitation') return { kind, record: invitationFrom(record) };
  if (kind === 'page') return { kind, record: pageFrom(record) };
  if (kind === 'task') return { kind, record: taskFrom(record) };
  return transferred;
}

/** A record in the form of a line of an export. */
export function lineOf(transferred: TransferRecord): object {
  return transferred.kind === 'page' ? { ...transferred, record: storedPage(transferred.record) } : transferred;
}
