import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { Type, type Static } from 'typebox';

/**
 * The part of a Trello export that is read (Menu, Print, export and share, Export as JSON). Everything
 * else in the file is ignored; lists may be missing.
 */
const id = Type.String({ minLength: 1, maxLength: 200 });
const text = Type.String();
const flag = Type.Boolean();
const position = Type.Number();
const optional = Type.Optional;
const orNull = <T extends ReturnType<typeof Type.String> | ReturnType<typeof Type.Array>>(schema: T) =>
  Type.Optional(Type.Union([schema, Type.Null()]));
const ids = Type.Array(id);

const Person = Type.Object({ id, fullName: orNull(text), username: orNull(text) });

const Label = Type.Object({ id, name: orNull(text), color: orNull(text) });

const List = Type.Object({
  id,
  name: text,
  closed: optional(flag),
  pos: optional(position),
  softLimit: optional(Type.Union([Type.Number(), Type.Null()])),
});

const Attachment = Type.Object({ name: orNull(text), url: orNull(text) });

const Card = Type.Object({
  id,
  name: text,
  desc: orNull(text),
  closed: optional(flag),
  pos: optional(position),
  idList: id,
  idLabels: optional(ids),
  labels: optional(Type.Array(Label)),
  idMembers: optional(ids),
  idMembersVoted: optional(ids),
  start: orNull(text),
  due: orNull(text),
  dueComplete: optional(Type.Union([flag, Type.Null()])),
  attachments: optional(Type.Array(Attachment)),
  stickers: optional(Type.Array(Type.Unknown())),
  customFieldItems: optional(Type.Array(Type.Unknown())),
  pluginData: optional(Type.Array(Type.Unknown())),
  coordinates: optional(Type.Unknown()),
  address: orNull(text),
  badges: optional(
    Type.Object({
      comments: optional(Type.Number()),
      votes: optional(Type.Number()),
      attachments: optional(Type.Number()),
    }),
  ),
});

const CheckItem = Type.Object({
  name: text,
  state: optional(text),
  pos: optional(position),
  due: orNull(text),
  idMember: orNull(id),
});

const Checklist = Type.Object({
  id,
  name: text,
  idCard: id,
  pos: optional(position),
  checkItems: optional(Type.Array(CheckItem)),
});

const Action = Type.Object({
  id,
  type: text,
  date: text,
  idMemberCreator: orNull(id),
  memberCreator: optional(Type.Union([Person, Type.Null()])),
  data: Type.Object({
    text: optional(text),
    dateLastEdited: optional(text),
    card: optional(Type.Object({ id: optional(id) })),
  }),
});

export const TrelloBoard = Type.Object({
  id,
  name: text,
  desc: orNull(text),
  lists: Type.Array(List),
  cards: Type.Array(Card),
  labels: optional(Type.Array(Label)),
  checklists: optional(Type.Array(Checklist)),
  members: optional(Type.Array(Person)),
  actions: optional(Type.Array(Action)),
  customFields: optional(Type.Array(Type.Unknown())),
  pluginData: optional(Type.Array(Type.Unknown())),
});

export type TrelloBoard = Static<typeof TrelloBoard>;
export type TrelloList = Static<typeof List>;
export type TrelloLabel = Static<typeof Label>;
export type TrelloCard = Static<typeof Card>;
export type TrelloChecklist = Static<typeof Checklist>;
export type TrelloCheckItem = Static<typeof CheckItem>;
export type TrelloAction = Static<typeof Action>;
export type TrelloPerson = Static<typeof Person>;

/** Compiled at the first use, see `schemas/transfer-record.ts`. */
let compiled: ValidateFunction<TrelloBoard> | undefined;
const OPTIONS = { allErrors: true, strict: false, allowUnionTypes: true, validateSchema: false } as const;

const MAX_PROBLEMS = 20;

/** JSON Pointers to the values that do not have the shape of a Trello export. Empty: the value is valid. */
export function shapeFaults(value: unknown): { readonly pointer: string; readonly detail: string }[] {
  const validate = (compiled ??= new Ajv2020(OPTIONS).compile<TrelloBoard>(TrelloBoard));
  if (validate(value)) return [];
  const faults = (validate.errors ?? []).filter(({ keyword }) => keyword !== 'anyOf');
  return faults
    .slice(0, MAX_PROBLEMS)
    .map(({ instancePath, message }) => ({ pointer: instancePath, detail: message ?? '' }));
}
