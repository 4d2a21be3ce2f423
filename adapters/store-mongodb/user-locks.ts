import type { Ask, Doc, Write } from './access.ts';
import type { CollectionName } from './collections.ts';
import { changeUser, dependencies, dependOn, dependOnUnchanged } from './locks.ts';
import { isCredential, type People, type Person } from './people.ts';

/** What one transaction knows of users, and what it writes so that this stays as it is until the commit. */
export class UserLocks {
  readonly #people: People;
  /** Read here. */
  readonly #read = new Map<string, Person>();
  readonly #credentials: { readonly from: CollectionName; readonly credential: Doc }[] = [];
  /** Not read, but known from before; with the stamp of that time. */
  readonly #guessed = new Map<string, number | null>();
  readonly #needed = new Set<string>();
  readonly #changed = new Set<string>();

  constructor(people: People) {
    this.#people = people;
  }

  /**
   * Goes by what was known of users before.
   *
   * @returns false, and does nothing, when more is known by now
   */
  accept(people: Iterable<Person>): boolean {
    const all = [...people];
    const fits = all.every(({ user, stamp }) => {
      const here = this.#stamp(user._id);
      return !this.#changed.has(user._id) && (here === undefined || here === stamp);
    });
    if (!fits) return false;
    for (const { user, stamp } of all) if (!this.#read.has(user._id)) this.#guessed.set(user._id, stamp);
    return true;
  }

  /** The user, token or identity that is asked for, if it can be gone by from before. */
  answer({ from, one }: Ask): Doc | undefined {
    if (one === undefined) return undefined;
    const known = 'field' in one && isCredential(from, one.field) ? this.#people.shown(from, one.value) : undefined;
    const person = from === 'users' && 'id' in one ? this.#people.user(one.id) : known?.person;
    if (person === undefined || !this.accept([person])) return undefined;
    return known?.credential ?? person.user;
  }

  readUser(person: Person): void {
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

  /** Each must find its document, or a guess was wrong. */
  guesses(workspaceId: string | undefined): Write[] {
    return [...this.#guessed].map(([userId, stamp]) => dependOnUnchanged(userId, stamp, workspaceId));
  }

  writes(workspaceId: string | undefined): Write[] {
    const needed = [...this.#needed].filter((userId) => !this.#guessed.has(userId));
    return [...needed.map((userId) => dependOn(userId, workspaceId)), ...[...this.#changed].flatMap(changeUser)];
  }

  forgetGuesses(): void {
    for (const userId of this.#guessed.keys()) this.#people.forget(userId);
  }

  /** CallEffects the commit: hands on what is certain. */
  remember(): void {
    for (const [userId, person] of this.#read) if (!this.#changed.has(userId)) this.#people.learn(person);
    for (const { from, credential } of this.#credentials) {
      const userId = credential['userId'] as string;
      const stamp = this.#stamp(userId);
      if (stamp !== undefined && !this.#changed.has(userId)) this.#people.learnCredential(from, credential, stamp);
    }
    for (const userId of this.#changed) this.#people.forget(userId);
  }

  #stamp(userId: string): number | null | undefined {
    const person = this.#read.get(userId);
    return person === undefined ? this.#guessed.get(userId) : person.stamp;
  }
}
