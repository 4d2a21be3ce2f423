import type { TSchema } from 'typebox';

/** A record as the OpenAPI document has it. */
export interface RecordComponent {
  readonly name: string;
  /** The description of the record. */
  readonly about: string;
  readonly schema: TSchema;
}

const declaredRecords: RecordComponent[] = [];
const declaredBodies = new Map<TSchema, string>();

/** The records that have a name of their own in the OpenAPI document. */
export const records: readonly RecordComponent[] = declaredRecords;
/** The names of request bodies in the OpenAPI document, by the input that they are part of. */
export const bodyNames: ReadonlyMap<TSchema, string> = declaredBodies;

/** Declares a record under its name in the OpenAPI document. @param about the description of the record */
export function record<S extends TSchema>(name: string, about: string, schema: S): S {
  declaredRecords.push({ name, about, schema });
  return schema;
}

/** Declares the input of an operation under the name that its body has in the OpenAPI document. */
export function body<S extends TSchema>(name: string, schema: S): S {
  declaredBodies.set(schema, name);
  return schema;
}
