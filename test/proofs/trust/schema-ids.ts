import type { Operation } from '../../../adapters/schemas/index.ts';

interface Schema {
  readonly format?: string;
  readonly pattern?: string;
  readonly readOnly?: boolean;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

/** The fields of an input that carry an id that must fit, as in `tasks[].tags[]`. */
export function idFields({ input }: Operation): readonly string[] {
  return fieldsOf(input, '').filter((field) => !NEED_NOT_FIT.test(field));
}

/** What is taken off may be there or not. The filters of a body are those of the task list: one of them is tried here. */
const NEED_NOT_FIT = /^set\.remove|^filter\.(?!boardId\b)/;

function fieldsOf(schema: Schema, at: string): string[] {
  if (schema.readOnly === true) return [];
  // The members `me` and `none` stand beside an id in some filters.
  const isId = schema.format === 'uuid' || (schema.pattern ?? '').includes('[0-9a-f]{8}-');
  return [
    ...(isId ? [at] : []),
    ...(schema.items === undefined ? [] : fieldsOf(schema.items, `${at}[]`)),
    ...(schema.anyOf ?? []).flatMap((one) => fieldsOf(one, at)),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, one]) =>
      fieldsOf(one, at === '' ? name : `${at}.${name}`),
    ),
  ];
}
