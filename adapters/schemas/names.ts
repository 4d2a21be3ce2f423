import { Type, type TProperties } from 'typebox';
import { record } from './components.ts';
import { exactly, flag, id, list, nullable, oneOf, optional, text } from './fields.ts';

/** The names of ids, as `expand` asks for them. */

function named<P extends TProperties>(name: string, description: string, fields: P) {
  return record(name, description, exactly(fields, { description }));
}

export const MemberName = named('MemberName', 'A member by name.', {
  id: id({ description: 'The id of the member.' }),
  name: nullable(text(200), { description: 'Null if the caller is a guest and this is another member.' }),
});

export const PageName = named('PageName', 'A page or board by name.', {
  id: id({ description: 'The id of the page.' }),
  name: text(500, { description: 'The name.' }),
});

export const StatusName = named('StatusName', 'A status by name.', {
  id: id({ description: 'The id of the status.' }),
  name: text(100, { description: 'The name.' }),
  done: flag({ description: 'Tasks that move into it are completed.' }),
});

export const TagName = named('TagName', 'A tag by name.', {
  id: id({ description: 'The id of the tag.' }),
  name: text(100, { description: 'The name.' }),
  color: text(50, { description: 'A CSS colour name or #rrggbb.' }),
});

export const UserName = named('UserName', 'A user by name.', {
  id: id({ description: 'The id of the user.' }),
  name: nullable(text(200), { description: 'Null if the user was never a member of the workspace.' }),
});

/** The parameter that asks for names. */
export const expand = <const T extends string>(values: readonly T[]) =>
  optional(
    list(oneOf(values), values.length, {
      uniqueItems: true,
      description: `Adds the names of what the ids in a record refer to, in the field expanded: ${values.join(', ')}.`,
    }),
  );

/** The names in a record, each present only if it was requested. */
export const expanded = <P extends TProperties>(names: P) =>
  optional(
    exactly(names, { description: 'The names of what ids refer to, as requested with expand. Ignored in a PUT.' }),
  );

/** A value or null. @param description says when it is null */
export const orNull = <T extends ReturnType<typeof exactly>>(name: T, description: string) =>
  Type.Union([name, Type.Null()], { description });
