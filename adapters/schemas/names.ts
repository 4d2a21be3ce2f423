import { Type, type TProperties } from 'typebox';
import { exactly, flag, id, list, nullable, oneOf, optional, text } from './fields.ts';

/** The names of ids, as `expand` asks for them. */

export const MemberName = exactly(
  {
    id: id({ description: 'Of the member.' }),
    name: nullable(text(200), { description: 'Null for a guest, who sees only their own name.' }),
  },
  { description: 'A member by name.' },
);

export const PageName = exactly(
  { id: id({ description: 'Of the page.' }), name: text(500, { description: 'Its name.' }) },
  { description: 'A page or board by name.' },
);

export const StatusName = exactly(
  {
    id: id({ description: 'Of the status.' }),
    name: text(100, { description: 'Its name.' }),
    done: flag({ description: 'A task that moves there is complete.' }),
  },
  { description: 'A status by name.' },
);

export const TagName = exactly(
  {
    id: id({ description: 'Of the tag.' }),
    name: text(100, { description: 'Its name.' }),
    color: text(50, { description: 'CSS colour name or #rrggbb.' }),
  },
  { description: 'A tag by name.' },
);

export const UserName = exactly(
  {
    id: id({ description: 'Of the user.' }),
    name: nullable(text(200), { description: 'Null for one who never was a member of the workspace.' }),
  },
  { description: 'A user by name.' },
);

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
