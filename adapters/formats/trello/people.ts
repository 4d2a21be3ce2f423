import type { Notes } from './notes.ts';
import type { TrelloBoard, TrelloPerson } from './shape.ts';
import { clean } from './text.ts';

/** A person named in an export. */
export interface TrelloUser {
  readonly id: string;
  readonly name: string;
  readonly username: string;
}

/** Everyone named in the export: members of the board, and authors who have left it. */
export function trelloUsers(board: TrelloBoard): ReadonlyMap<string, TrelloUser> {
  const users = new Map<string, TrelloUser>();
  const add = (person: TrelloPerson): void => {
    if (!users.has(person.id)) users.set(person.id, userOf(person));
  };
  for (const person of board.members ?? []) add(person);
  for (const { memberCreator } of board.actions ?? []) if (memberCreator) add(memberCreator);
  return users;
}

function userOf({ id, fullName, username }: TrelloPerson): TrelloUser {
  const known = clean(username ?? '').trim();
  return { id, name: clean(fullName ?? '').trim() || known || id, username: known || id };
}

/** The name of a person in a text. */
export function called({ name, username }: TrelloUser): string {
  return `${inline(name)} (${inline(username)})`;
}

/** On one line, with Markdown characters escaped. */
export function inline(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\*_`[\]<>]/g, '\\$&');
}

/** Finds the member for a person, and notes when there is none. */
export class People {
  readonly #users: ReadonlyMap<string, TrelloUser>;
  readonly #members: ReadonlyMap<string, string>;
  readonly #notes: Notes;

  /** @param members member ids by Trello username */
  constructor(board: TrelloBoard, members: ReadonlyMap<string, string>, notes: Notes) {
    this.#users = trelloUsers(board);
    this.#members = new Map([...members].map(([username, memberId]) => [username.toLowerCase(), memberId]));
    this.#notes = notes;
  }

  user(id: string): TrelloUser {
    return this.#users.get(id) ?? { id, name: 'Unknown member', username: id };
  }

  /** Adds a note for each reference to a person without a member. */
  member(id: string, what: string): string | undefined {
    const user = this.user(id);
    const memberId = this.#members.get(user.username.toLowerCase());
    if (memberId === undefined)
      this.#notes.add(what, 'not mapped: named in the text', `${user.name} (${user.username})`);
    return memberId;
  }

  /** The member of a person, without a note when there is none. */
  known(id: string): string | undefined {
    return this.#members.get(this.user(id).username.toLowerCase());
  }
}
