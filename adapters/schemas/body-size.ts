import type { TSchema } from 'typebox';
import { METADATA } from '../../core/model/metadata.ts';

/** Bytes allowed in addition for white space, and for unknown fields, which the refusal names. */
const SLACK = 65_536;
/** The most bytes of one UTF-16 code unit, which is how lengths are counted: as `\uXXXX`. */
const ESCAPED = 6;
const NUMBER = 24;

/** What bounds the size of a value, in a schema or a part of one. */
export interface SchemaNode {
  readonly type?: string | readonly string[];
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly items?: SchemaNode;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  /** The schema of the fields of metadata, the only object with fields that no schema names. */
  readonly patternProperties?: Readonly<Record<string, SchemaNode>>;
  readonly maxProperties?: number;
  readonly anyOf?: readonly SchemaNode[];
  readonly enum?: readonly unknown[];
}

/** The most bytes that a JSON body with these fields can need; Infinity if a schema sets no bound. */
export function largestBody(properties: Readonly<Record<string, TSchema>>): number {
  return SLACK + largestObject(properties);
}

function largestObject(properties: Readonly<Record<string, SchemaNode>>): number {
  const fields = Object.entries(properties).map(([name, schema]) => name.length + 4 + largestValue(schema));
  return fields.reduce((sum, size) => sum + size, 2);
}

function largestValue(node: SchemaNode): number {
  const { type, maxLength, maxItems, items, anyOf, enum: values } = node;
  if (values !== undefined) return Math.max(...values.map((value) => ESCAPED * JSON.stringify(value).length));
  const kinds = [type].flat();
  const sizes = [NUMBER, ...(anyOf ?? []).map(largestValue)];
  if (type === undefined && anyOf === undefined) return Infinity;
  if (kinds.includes('string')) sizes.push(2 + ESCAPED * (maxLength ?? Infinity));
  if (kinds.includes('array')) sizes.push(2 + (maxItems ?? Infinity) * (1 + largestValue(items ?? {})));
  if (kinds.includes('object')) sizes.push(largestFields(node));
  return Math.max(...sizes);
}

function largestFields({ properties, patternProperties, maxProperties = Infinity }: SchemaNode): number {
  if (properties !== undefined) return largestObject(properties);
  if (patternProperties === undefined) return Infinity;
  const longest = Math.max(...Object.values(patternProperties).map(largestValue));
  return 2 + maxProperties * (4 + ESCAPED * METADATA.longestKey + longest);
}
