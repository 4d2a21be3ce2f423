import { type CachedUser, isCredential, type UserCache } from '../cache/user-cache.ts';
import type { DocumentCollection } from '../connection/collections.ts';
import type { Doc, Query, Write } from '../query/query.ts';
import { lockedFor, lockForChange, lockForRead, lockForReadAt } from './lock-documents.ts';

/**
 * The users that one transaction goes by. Each is in one of two states: *read* in this transaction, or *assumed* as it
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
  assume(users: Iterable<CachedUser>): boolean {
    const all = [...users];
    const fits = all.every(({ user: { _id: id }, version }) => {
      const here = this.#version(id);
      return !this.#changed.has(id) && (here === undefined || here === version);
    });
    if (!fits) return false;
    for (const { user, version } of all) if (!this.#read.has(user._id)) this.#assumed.set(user._id, version);
    return true;
  }

  /** The user, token or identity that is looked for, if it is cached and can be assumed. */
  cached({ from, one }: Query): Doc | undefined {
    if (one === undefined) return undefined;
    const credential =
      'field' in one && isCredential(from, one.field) ? this.#cache.credential(from, one.value) : undefined;
    const user = from === 'users' && 'id' in one ? this.#cache.user(one.id) : credential?.user;
    if (user === undefined || !this.assume([user])) return undefined;
    return credential?.credential ?? user.user;
  }

  addRead(user: CachedUser): void {
    this.#read.set(user.user._id, user);
  }

  addCredential(from: DocumentCollection, credential: Doc): void {
    this.#credentials.push({ from, credential });
  }

  lockForRead(userIds: readonly string[]): void {
    for (const userId of lockedFor(userIds)) this.#lockedForRead.add(userId);
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
