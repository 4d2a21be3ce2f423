import type { DocumentCollection } from '../connection/collections.ts';
import type { Doc } from '../query/query.ts';
import { VersionedCache } from './versioned-cache.ts';

/** A user with the `userVersion` of the moment: it changes with the user, their tokens and identities. */
export interface CachedUser {
  readonly user: Doc;
  readonly version: number;
}

/** A token or identity, with the user that it belongs to. */
export interface CachedCredential {
  readonly credential: Doc;
  readonly user: CachedUser;
}

const CAPACITY = 5_000;
/** The field by which a credential is looked up. */
const LOOKUP_FIELDS: Partial<Record<DocumentCollection, string>> = { tokens: 'hash', identities: 'identity' };

/** Whether a document found by this field says who a caller is. */
export function isCredential(from: DocumentCollection, field: string): boolean {
  return LOOKUP_FIELDS[from] === field;
}

/** Users and their credentials, all valid while `userVersion` of the user's lock document is the same. */
export class UserCache {
  readonly #users = new VersionedCache<Doc>({ capacity: CAPACITY });
  readonly #credentials = new VersionedCache<Doc>({ capacity: CAPACITY });

  user(id: string): CachedUser | undefined {
    const found = this.#users.latest(id);
    return found && { user: found.value, version: found.version };
  }

  /** Undefined unless the credential and its user are known as of one version. */
  credential(from: DocumentCollection, value: string): CachedCredential | undefined {
    const found = this.#credentials.latest(`${from} ${value}`);
    const user = found && this.user(found.value['userId'] as string);
    return user?.version === found?.version ? found && user && { credential: found.value, user } : undefined;
  }

  add({ user, version }: CachedUser): void {
    this.#users.set(user._id, version, user);
  }

  /** @param version of its user when it was read */
  addCredential(from: DocumentCollection, credential: Doc, version: number): void {
    this.#credentials.set(`${from} ${String(credential[LOOKUP_FIELDS[from] ?? ''])}`, version, credential);
  }

  delete(userId: string): void {
    this.#users.delete(userId);
  }
}
