import type { TSchema } from 'typebox';
import { bodyNames, records, type Operation } from '../../schemas/index.ts';
import { requestFields } from '../request/input.ts';

export type Json = Readonly<Record<string, unknown>>;

const recordNames: ReadonlyMap<unknown, string> = new Map(records.map(({ name, schema }) => [schema, name]));

/** Keywords of our own validator, left out of the document. */
const OWN = new Set(['normalise', '$id']);

/**
 * The characters that trimming removes. They are listed, as the meaning of `\s` differs between regular expression
 * engines.
 */
const SPACE = '\\t-\\r \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff';

/**
 * Texts of 1 up to this many characters, not counting white space around them. Service and document count the same:
 * what is stored.
 */
function trimmed({ maxLength, minLength: _, ...schema }: Json): Json {
  const between = maxLength === undefined ? '*' : `{0,${Number(maxLength) - 2}}`;
  return { ...schema, pattern: `^[${SPACE}]*[^${SPACE}](?:[\\s\\S]${between}[^${SPACE}])?[${SPACE}]*$` };
}

/** A schema as the document holds it, with references to the schemas that have names. */
export function schemaOf(schema: unknown, isNamed = false): unknown {
  const name = recordNames.get(schema);
  if (name !== undefined && !isNamed) return schemaReference(name);
  if (Array.isArray(schema)) return schema.map((part) => schemaOf(part));
  if (typeof schema !== 'object' || schema === null) return schema;
  const parts = Object.entries((schema as Json)['normalise'] === 'trim' ? trimmed(schema as Json) : schema);
  const shown = parts.filter(([keyword]) => !OWN.has(keyword));
  return Object.fromEntries(shown.map(([keyword, part]) => [keyword, schemaOf(part)]));
}

/** A workspace in a path: its id, or its alias. */
export const ID_OR_ALIAS = {
  type: 'string',
  minLength: 2,
  maxLength: 63,
  pattern: '^[0-9A-Za-z][0-9A-Za-z-]*[0-9A-Za-z]$',
};

export function schemaReference(name: string): Json {
  return { $ref: `#/components/schemas/${name}` };
}

/** The body of a request, undefined when it takes none. */
export function bodyOf(operation: Operation): { readonly name: string; readonly schema: unknown } | undefined {
  const { body, path } = requestFields(operation);
  if (Object.keys(body).length === 0) return undefined;
  const name = bodyNames.get(operation.input);
  if (name === undefined) throw new Error(`The input of ${operation.useCase} has no name.`);
  const { required = [] } = operation.input as { required?: readonly string[] };
  const needed = required.filter((field) => !Object.hasOwn(path, field));
  const description = `The body of: ${operation.summary}.`;
  const schema = { ...operation.input, description, properties: body, required: needed };
  return { name, schema: schemaOf(needed.length === 0 ? { ...schema, required: undefined } : schema, true) };
}

export function recordSchemas(): Json {
  const shown = records.map(({ name, about, schema }) => {
    const { type, ...rest } = schemaOf(schema, true) as Json;
    return [name, { type, description: about, ...rest }] as const;
  });
  return Object.fromEntries(shown);
}

/**
 * The schema of a field in a query: without null, which a query cannot express, and without examples, which the
 * reference page would send.
 */
export function querySchema(name: string, schema: TSchema): unknown {
  if (name === 'cursor') return { type: 'string', minLength: 1, maxLength: 12_288, pattern: '^[\\w-]+$' };
  const { type, description: _, examples: __, ...rest } = schema as Json;
  return schemaOf({ type: Array.isArray(type) ? type.find((one) => one !== 'null') : type, ...rest });
}
