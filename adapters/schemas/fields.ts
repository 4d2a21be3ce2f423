import { Type, type Static, type TObject, type TProperties, type TSchema } from 'typebox';
import { LEVELS, type Level } from '../../core/model/access/level.ts';
import { ROLES, type Role } from '../../core/model/access/role.ts';
import { KEY_LIMIT } from '../../core/kernel/order-key.ts';
import { METADATA, type Metadata, type MetadataChanges } from '../../core/model/metadata.ts';

/** Building blocks for the schemas of all nouns. */

export interface About {
  readonly description?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
}

/** A UUID, accepted in either case and stored in lower case. */
export const id = (about: About = {}) =>
  Type.String({ format: 'uuid', minLength: 36, maxLength: 36, normalise: 'lower', ...about });

/** A name: at most `longest` characters, and at least 1 once it is trimmed. */
export const name = (longest: number, about: About = {}) =>
  Type.String({ normalise: 'trim', minLength: 1, maxLength: longest, ...about });

/** Text, not trimmed. */
export const text = (longest: number, about: About & { readonly minLength?: number } = {}) =>
  Type.String({ maxLength: longest, ...about });

export const integer = (minimum: number, maximum: number, about: About = {}) =>
  Type.Integer({ minimum, maximum, ...about });

export const flag = (about: About = {}) => Type.Boolean({ ...about });

/** A day that exists. */
export const date = (about: About = {}) =>
  Type.String({ format: 'date', minLength: 10, maxLength: 10, examples: ['2026-03-31'], ...about });

/** A time with its offset, as RFC 3339 writes it; in records always UTC with milliseconds. */
export const time = (about: About = {}) =>
  Type.String({ format: 'date-time', minLength: 20, maxLength: 40, examples: ['2026-03-31T09:30:00.000Z'], ...about });

export const email = (about: About = {}) =>
  Type.String({ format: 'email', minLength: 3, maxLength: 254, examples: ['ada@example.org'], ...about });

export const level = (about: About = {}) =>
  Type.Unsafe<Level>({
    type: 'integer',
    enum: [...LEVELS],
    ...about,
    description: `${about.description ?? 'Access level.'} 400 Full Access, 300 Editing, 200 Comment Only, 100 View Only, 0 Denied.`,
  });

export const role = (about: About = {}) =>
  Type.Unsafe<Role>({
    type: 'integer',
    enum: [...ROLES],
    ...about,
    description: `${about.description ?? 'Role in the workspace.'} 40 Owner, 30 Admin, 20 Member, 10 Guest.`,
  });

/** A role in a record that is read: it may be one that this version does not know. */
export const shownRole = (about: About = {}) =>
  integer(0, 1_000, { description: 'Role in the workspace: 40 Owner, 30 Admin, 20 Member, 10 Guest.', ...about });

export const oneOf = <const T extends string>(values: readonly T[], about: About = {}) =>
  Type.Unsafe<T>({ type: 'string', enum: [...values], ...about });

export const orderKey = (about: About = {}) => integer(-KEY_LIMIT, KEY_LIMIT, about);

export const externalId = (about: About = {}) =>
  text(200, { minLength: 1, description: 'Id of the record in another system.', ...about });

export const list = <T extends TSchema>(
  items: T,
  most: number,
  about: About & { readonly minItems?: number; readonly uniqueItems?: true } = {},
) => Type.Array(items, { maxItems: most, ...about });

/** The schema, or null. */
export function nullable<T extends TSchema>(schema: T, about: About = {}) {
  const { type, enum: values } = schema as { type?: string; enum?: readonly unknown[] };
  return Type.Unsafe<Static<T> | null>({
    ...schema,
    ...about,
    type: [type, 'null'],
    ...(values === undefined ? {} : { enum: [...values, null] }),
  });
}

export const optional = Type.Optional;

/** An object of exactly these fields. */
export const exactly = <P extends TProperties>(properties: P, about: About = {}) =>
  Type.Object(properties, { additionalProperties: false, ...about });

const metadataObject = (values: readonly string[], most: number) => ({
  type: 'object',
  patternProperties: {
    [METADATA.key]: {
      type: values,
      maxLength: METADATA.text,
      minimum: Number.MIN_SAFE_INTEGER,
      maximum: Number.MAX_SAFE_INTEGER,
    },
  },
  additionalProperties: false,
  maxProperties: most,
});

/** The metadata of a record that is read. */
export const metadata = Type.Unsafe<Metadata>({
  ...metadataObject(['string', 'number', 'boolean'], METADATA.keys),
  description: 'Fields of the host: text of up to 500 characters, numbers up to 2^53, and booleans.',
  examples: [{ sprint: 12, reviewed: true }],
});

/** Metadata that is written: besides setting as many keys as a record may have, it may remove as many. */
export const metadataChanges = optional(
  Type.Unsafe<MetadataChanges | null>({
    ...metadataObject(['string', 'number', 'boolean', 'null'], 2 * METADATA.keys),
    type: ['object', 'null'],
    description: `Fields of the host, merged into the existing ones. A null value removes a key; null in place of the object removes all keys. After the merge at most ${METADATA.keys} keys and ${METADATA.bytes} bytes of JSON; for all statuses and tags of a board together ${METADATA.bytesOfParts} bytes.`,
    examples: [{ sprint: 12, reviewed: null }],
  }),
);

/** The fields of every record. */
export const versioned = {
  createdAt: time({ description: 'The time of creation.' }),
  updatedAt: time({ description: 'The time of the last change.' }),
  version: integer(1, Number.MAX_SAFE_INTEGER, { description: '1 on creation; each change adds 1.' }),
};

/**
 * The input of a partial update. Besides the writable fields it accepts the other fields of the record, so that a
 * record can be read, edited and put back.
 *
 * @param address the ids of the path
 * @param writable the writable fields, each optional
 */
export function put<A extends TProperties, W extends TProperties>(
  address: A,
  writable: W,
  record: TObject,
): TObject<A & W> {
  const shown = Object.entries(record.properties)
    .filter(([field]) => !Object.hasOwn(address, field) && !Object.hasOwn(writable, field))
    .map(([field, schema]) => [field, Type.Optional({ ...schema, readOnly: true })] as const);
  return exactly({ ...address, ...writable, ...Object.fromEntries(shown) });
}

export const limit = optional(integer(1, 500, { default: 100, description: 'The largest number of items.' }));

/** The cursor of the page. Opaque: over HTTP it is encoded once more. */
export const cursor = optional(
  text(8_192, { minLength: 1, description: 'The cursor from the link to this page of the list.' }),
);

/** Fields that address a record in a workspace. */
export const inWorkspace = { workspaceId: id({ description: 'The workspace, by id or alias.' }) };
export const onPage = { ...inWorkspace, pageId: id({ description: 'The page.' }) };
export const onBoard = { ...inWorkspace, boardId: id({ description: 'The board.' }) };
export const onTask = { ...inWorkspace, taskId: id({ description: 'The task.' }) };

/** The parameter of a deletion that skips the trash. */
export const permanently = optional(
  flag({
    default: false,
    description: 'Delete permanently instead of moving to the trash. Requires Full Access.',
  }),
);
