import type { Doc } from './access.ts';

/** A user as they were read, with the stamp of that moment: it changes with the user and with any of their tokens. */
export interface Person {
  readonly user: Doc;
  /** Null: nothing of the user was changed ever since. */
  readonly stamp: number | null;
}

interface Held {
  readonly token: Doc;
  readonly stamp: number | null;
}

const MOST = 5_000;

/**
 * Users and tokens that write transactions have read last. A write goes on with them, and commits only if the
 * stamp is still the same, which it asks in a command that it sends anyway.
 */
export class People {
  readonly #users = new Map<string, Person>();
  readonly #tokens = new Map<string, Held>();

  user(id: string): Person | undefined {
    return this.#users.get(id);
  }

  /** With the user that it belongs to; undefined unless both are known as of one stamp. */
  token(hash: string): { readonly token: Doc; readonly person: Person } | undefined {
    const held = this.#tokens.get(hash);
    const person = held === undefined ? undefined : this.#users.get(held.token['userId'] as string);
    return held === undefined || person === undefined || person.stamp !== held.stamp
      ? undefined
      : { token: held.token, person };
  }

  learn(person: Person): void {
    keep(this.#users, person.user._id, person);
  }

  /** @param stamp of its user when it was read */
  learnToken(token: Doc, stamp: number | null): void {
    keep(this.#tokens, token['hash'] as string, { token, stamp });
  }

  forget(userId: string): void {
    this.#users.delete(userId);
  }
}

function keep<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= MOST) break;
    map.delete(oldest);
  }
}
