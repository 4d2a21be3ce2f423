import type { Query, Doc, Write } from '../query/query.ts';
import type { CollectionName } from '../connection/collections.ts';
import { changeUser, dependencies, dependOn, dependOnUnchanged } from './lock-documents.ts';
import { isCredential, type UserCache, type CachedUser } from '../cache/user-cache.ts';

/** What one transaction knows of users, and what it writes so that this stays as it is until the commit. */
export class UserLocks {
  readonly #userCache: UserCache;
  /** Read here. */
  readonly #read = new Map<string, CachedUser>();
  readonly #credentials: { readonly from: CollectionName; readonly credential: Doc }[] = [];
  /** Not read, but known from before; with the version of that time. */
  readonly #assumed = new Map<string, number | null>();
  readonly #needed = new Set<string>();
  readonly #changed = new Set<string>();

  constructor(userCache: UserCache) {
    this.#userCache = userCache;
  }

  /**
   * Goes by what was known of users before.
   *
   * @returns false, and does nothing, when more is known by now
   */
  accept(userCache: Iterable<CachedUser>): boolean {
    const all = [...userCache];
    const fits = all.every(({ user, version }) => {
      const here = this.#version(user._id);
      return !this.#changed.has(user._id) && (here === undefined || here === version);
    });
    if (!fits) return false;
    for (const { user, version } of all) if (!this.#read.has(user._id)) this.#assumed.set(user._id, version);
    return true;
  }

  /** The user, token or identity that is asked for, if it can be gone by from before. */
  answer({ from, one }: Query): Doc | undefined {
    if (one === undefined) return undefined;
    const known = 'field' in one && isCredential(from, one.field) ? this.#userCache.shown(from, one.value) : undefined;
    const person = from === 'users' && 'id' in one ? this.#userCache.user(one.id) : known?.person;
    if (person === undefined || !this.accept([person])) return undefined;
    return known?.credential ?? person.user;
  }

  readUser(person: CachedUser): void {
    this.#read.set(person.user._id, person);
  }

  readCredential(from: CollectionName, credential: Doc): void {
    this.#credentials.push({ from, credential });
  }

  need(userIds: readonly string[]): void {
    for (const userId of dependencies(userIds)) this.#needed.add(userId);
  }

  change(userId: string): void {
    this.#changed.add(userId);
  }

  /** Each must find its document, or a guess was invalidated. */
  assumptions(workspaceId: string | undefined): Write[] {
    return [...this.#assumed].map(([userId, version]) => dependOnUnchanged(userId, version, workspaceId));
  }

  writes(workspaceId: string | undefined): Write[] {
    const needed = [...this.#needed].filter((userId) => !this.#assumed.has(userId));
    return [...needed.map((userId) => dependOn(userId, workspaceId)), ...[...this.#changed].flatMap(changeUser)];
  }

  forgetAssumptions(): void {
    for (const userId of this.#assumed.keys()) this.#userCache.forget(userId);
  }

  /** After the commit: hands on what is certain. */
  remember(): void {
    for (const [userId, person] of this.#read) if (!this.#changed.has(userId)) this.#userCache.learn(person);
    for (const { from, credential } of this.#credentials) {
      const userId = credential['userId'] as string;
      const version = this.#version(userId);
      if (version !== undefined && !this.#changed.has(userId))
        this.#userCache.learnCredential(from, credential, version);
    }
    for (const userId of this.#changed) this.#userCache.forget(userId);
  }

  #version(userId: string): number | null | undefined {
    const person = this.#read.get(userId);
    return person === undefined ? this.#assumed.get(userId) : person.version;
  }
}
