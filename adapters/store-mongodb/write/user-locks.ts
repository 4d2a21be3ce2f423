import type { CachedUser, UserCache } from '../caches.ts';
import type { DocumentCollection } from '../connection/collections.ts';
import { type Doc, type Query, queryById, upsert, type Write } from '../query/query.ts';

/**
 * The lock documents of users, eight stripes for each. A transaction that reads a user writes to one stripe, one that
 * changes the user writes to all of them: so readers conflict with a change, and hardly ever with each other.
 *
 * A change also raises `claims` in all stripes. That number is the user's version: what was read of a user, their tokens
 * and identities is valid while it is the same. 0: nothing of the user was ever changed.
 */
const STRIPES = 8;
/** A transaction that reads more users than this locks all users there are. */
const FEW = 16;
const ALL_USERS = '*';

/**
 * The users that one transaction relies on. Each is in one of two states: *read* in this transaction, or *assumed* as it
 * was cached; an assumed one is validated by the lock that the transaction writes at its end.
 */
export class UserLocks {
  readonly #cache: UserCache;
  readonly #read = new Map<string, CachedUser>();
  readonly #credentials: { readonly from: DocumentCollection; readonly credential: Doc }[] = [];
  /** Versions of users that were not read here. */
  readonly #assumed = new Map<string, number>();
  readonly #lockedForRead = new Set<string>();
  readonly #changed = new Set<string>();

  constructor(cache: UserCache) {
    this.#cache = cache;
  }

  /** @returns false, and does nothing, when this transaction knows another version of one of them */
  assume(users: readonly CachedUser[]): boolean {
    const fits = users.every(({ value: { _id: id }, version }) => {
      const here = this.#version(id);
      return !this.#changed.has(id) && (here === undefined || here === version);
    });
    if (!fits) return false;
    for (const { value: user, version } of users) if (!this.#read.has(user._id)) this.#assumed.set(user._id, version);
    return true;
  }

  /** The user, token or identity that is looked for, if it is cached and can be assumed. */
  cached(query: Query): Doc | undefined {
    const found = this.#cache.find(query);
    return found !== undefined && this.assume([found.user]) ? found.doc : undefined;
  }

  addRead(user: CachedUser): void {
    this.#read.set(user.value._id, user);
  }

  addCredential(from: DocumentCollection, credential: Doc): void {
    this.#credentials.push({ from, credential });
  }

  lockForRead(userIds: readonly string[]): void {
    for (const userId of userIds.length > FEW ? [ALL_USERS] : userIds) this.#lockedForRead.add(userId);
  }

  lockForChange(userId: string): void {
    this.#changed.add(userId);
  }

  /** Each matches a document, or an assumption was wrong. */
  validations(workspaceId: string | undefined): Write[] {
    return [...this.#assumed].map(([userId, version]) => lockForReadAt(userId, version, workspaceId));
  }

  /** The locks that the validations do not write. */
  writes(workspaceId: string | undefined): Write[] {
    const read = [...this.#lockedForRead].filter((userId) => !this.#assumed.has(userId));
    return [...read.map((userId) => lockForRead(userId, workspaceId)), ...[...this.#changed].flatMap(lockForChange)];
  }

  dropAssumed(): void {
    for (const userId of this.#assumed.keys()) this.#cache.delete(userId);
  }

  /** To be called after the commit. */
  fillCache(): void {
    for (const [userId, user] of this.#read) if (!this.#changed.has(userId)) this.#cache.add(user);
    for (const { from, credential } of this.#credentials) {
      const userId = credential['userId'] as string;
      const version = this.#version(userId);
      if (version !== undefined && !this.#changed.has(userId)) this.#cache.addCredential(from, credential, version);
    }
    for (const userId of this.#changed) this.#cache.delete(userId);
  }

  #version(userId: string): number | undefined {
    return this.#read.get(userId)?.version ?? this.#assumed.get(userId);
  }
}

export function queryUserVersion(userId: string): Query {
  return queryById('locks', nameOf(userId, 0));
}

/** The version in the answer to {@link queryUserVersion}. */
export function userVersionIn([doc]: readonly Doc[]): number {
  return (doc?.['claims'] as number | undefined) ?? 0;
}

/** @param workspaceId of the transaction: those of one workspace exclude each other anyway, and share a stripe */
function lockForRead(userId: string, workspaceId: string | undefined): Write {
  return upsert(nameOf(userId, stripeFor(workspaceId)), { $inc: { seq: 1 } });
}

/** The same if the user has this version; else it matches nothing, or collides with the document that is there. */
function lockForReadAt(userId: string, version: number, workspaceId: string | undefined): Write {
  const _id = nameOf(userId, stripeFor(workspaceId));
  const update = { $inc: { seq: 1 } };
  return version === 0
    ? { updateOne: { filter: { _id, claims: { $exists: false } }, update, upsert: true } }
    : { updateOne: { filter: { _id, claims: version }, update } };
}

function lockForChange(userId: string): Write[] {
  const stripes = Array.from({ length: STRIPES }, (_, stripe) => stripe);
  return [userId, ALL_USERS].flatMap((id) =>
    stripes.map((stripe) => upsert(nameOf(id, stripe), { $inc: { seq: 1, claims: 1 } })),
  );
}

function nameOf(userId: string, stripe: number): string {
  return `user/${userId}/${stripe}`;
}

function stripeFor(workspaceId: string | undefined): number {
  if (workspaceId === undefined) return Math.floor(Math.random() * STRIPES);
  let hash = 0;
  for (let i = 0; i < workspaceId.length; i += 1) hash = (hash * 31 + workspaceId.charCodeAt(i)) >>> 0;
  return hash % STRIPES;
}
