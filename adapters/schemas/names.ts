import { Type, type TProperties } from 'typebox';
import { record } from './components.ts';
import { exactly, flag, id, list, nullable, oneOf, optional, text } from './fields.ts';

/** The names of ids, as `expand` asks for them. */

function named<P extends TProperties>(name: string, description: string, fields: P) {
  return record(name, description, exactly(fields, { description }));
}

export const MemberName = named('MemberName', 'A member by name.', {
  id: id({ description: 'Of the member.' }),
  name: nullable(text(200), { description: 'Null for a guest, who sees only their own name.' }),
});

export const PageName = named('PageName', 'A page or board by name.', {
  id: id({ description: 'Of the page.' }),
  name: text(500, { description: 'Its name.' }),
});

export const StatusName = named('StatusName', 'A status by name.', {
  id: id({ description: 'Of the status.' }),
  name: text(100, { description: 'Its name.' }),
  done: flag({ description: 'A task that moves there is complete.' }),
});

export const TagName = named('TagName', 'A tag by name.', {
  id: id({ description: 'Of the tag.' }),
  name: text(100, { description: 'Its name.' }),
  color: text(50, { description: 'CSS colour name or #rrggbb.' }),
});

export const UserName = named('UserName', 'A user by name.', {
  id: id({ description: 'Of the user.' }),
  name: nullable(text(200), { description: 'Null for one who never was a member of the workspace.' }),
});

/** The parameter that asks for names. */
export const expand = <const T extends string>(values: readonly T[]) =>
  optional(
    list(oneOf(values), values.length, {
      uniqueItems: true,
      description: `Adds what the ids in a record stand for, as its field expanded: ${values.join(', ')}.`,
    }),
  );

/** The names in a record, each there when it was asked for. */
export const expanded = <P extends TProperties>(names: P) =>
  optional(
    exactly(names, { description: 'What ids stand for, as far as expand asks for it. Ignored when it is put back.' }),
  );

/** A value or null. @param description when it is null */
export const orNull = <T extends ReturnType<typeof exactly>>(name: T, description: string) =>
  Type.Union([name, Type.Null()], { description });
