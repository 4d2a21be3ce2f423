import type { Doc } from '../query/query.ts';
import type { CollectionName } from '../connection/collections.ts';

/** A user as they were read, with the version of that moment: it changes with the user, their tokens and identities. */
export interface CachedUser {
  readonly user: Doc;
  /** Null: nothing of the user was changed ever since. */
  readonly version: number | null;
}

/** What somebody shows to say who they are, with the user that it belongs to. */
export interface CachedCredential {
  readonly credential: Doc;
  readonly person: CachedUser;
}

interface Held {
  readonly credential: Doc;
  readonly version: number | null;
}

const MOST = 5_000;
const CREDENTIALS: Partial<Record<CollectionName, string>> = { tokens: 'hash', identities: 'identity' };

/** Whether a record found by this field says who somebody is. */
export function isCredential(from: CollectionName, field: string): boolean {
  return CREDENTIALS[from] === field;
}

/**
 * Users, tokens and identities as they were read last. A write goes on with them, and commits only if the
 * version is still the same; so does a read, and counts only then. Both query for it in a command that they send anyway.
 */
export class UserCache {
  readonly #users = new Map<string, CachedUser>();
  readonly #credentials = new Map<string, Held>();

  user(id: string): CachedUser | undefined {
    return this.#users.get(id);
  }

  /** Undefined unless the credential and its user are known as of one version. */
  shown(from: CollectionName, value: string): CachedCredential | undefined {
    const held = this.#credentials.get(keyOf(from, value));
    const person = held === undefined ? undefined : this.#users.get(held.credential['userId'] as string);
    return held === undefined || person === undefined || person.version !== held.version
      ? undefined
      : { credential: held.credential, person };
  }

  learn(person: CachedUser): void {
    keep(this.#users, person.user._id, person);
  }

  /** @param version of its user when it was read */
  learnCredential(from: CollectionName, credential: Doc, version: number | null): void {
    keep(this.#credentials, keyOf(from, credential[CREDENTIALS[from] as string] as string), { credential, version });
  }

  forget(userId: string): void {
    this.#users.delete(userId);
  }
}

function keyOf(from: CollectionName, value: string): string {
  return `${from} ${value}`;
}

function keep<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= MOST) break;
    map.delete(oldest);
  }
}
