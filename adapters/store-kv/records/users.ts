import { EspalierError } from '../../../core/kernel/errors.ts';
import type { UserRepository } from '../../../core/ports/store.ts';
import type { Token } from '../../../core/model/token.ts';
import type { ExternalIdentity } from '../../../core/model/external-identity.ts';
import type { User } from '../../../core/model/user.ts';
import { identityKey } from './identities.ts';
import { idKey, textKey } from '../engine/key.ts';
import { rangeAfter as behindKey, type Kv, scan, prefixRange } from '../engine/kv.ts';
import { PREFIX } from '../engine/key-prefixes.ts';

const USERS = prefixRange(PREFIX.user);
const ADMINISTRATORS = prefixRange(PREFIX.administrator);

export class KvUsers implements UserRepository {
  readonly #kv: Kv;

  constructor(kv: Kv) {
    this.#kv = kv;
  }

  async get(id: string): Promise<User | null> {
    return this.#get(idKey(id));
  }

  async many(ids: readonly string[]): Promise<ReadonlyMap<string, User>> {
    const found = new Map<string, User>();
    for (const id of ids) {
      const user = this.#get(idKey(id));
      if (user !== null) found.set(id, user);
    }
    return found;
  }

  async byEmail(foldedEmail: string): Promise<User | null> {
    const id = this.#kv.get(PREFIX.userByEmail + textKey(foldedEmail));
    return id === undefined ? null : this.#get(id as string);
  }

  async byToken(hash: string): Promise<{ readonly user: User; readonly token: Token } | null> {
    const id = this.#kv.get(PREFIX.tokenByHash + textKey(hash));
    if (id === undefined) return null;
    const token = this.#kv.get(PREFIX.token + (id as string)) as Token | undefined;
    const user = token === undefined ? null : this.#get(idKey(token.userId));
    return token === undefined || user === null ? null : { user, token };
  }

  async byIdentity(issuer: string, subject: string): Promise<User | null> {
    const identity = this.#kv.get(identityKey(issuer, subject)) as ExternalIdentity | undefined;
    return identity === undefined ? null : this.#get(idKey(identity.userId));
  }

  async list(after: string | null, limit: number): Promise<readonly User[]> {
    const range = after === null ? USERS : behindKey(USERS, PREFIX.user + idKey(after));
    return this.#kv.range(range, limit, false).map(([, user]) => user as User);
  }

  async administrators(limit: number): Promise<readonly User[]> {
    const found: User[] = [];
    for (const [, id] of scan(this.#kv, ADMINISTRATORS)) {
      if (found.length >= limit) break;
      const user = this.#get(id as string);
      if (user !== null) found.push(user);
    }
    return found;
  }

  async insert(user: User): Promise<void> {
    this.#put(user, null);
  }

  async replace(user: User): Promise<void> {
    this.#put(user, this.#get(idKey(user.id)));
  }

  #get(id: string): User | null {
    return (this.#kv.get(PREFIX.user + id) as User | undefined) ?? null;
  }

  #put(user: User, before: User | null): void {
    const id = idKey(user.id);
    if (before?.email !== user.email) {
      const key = PREFIX.userByEmail + textKey(user.email);
      if (this.#kv.get(key) !== undefined)
        throw new EspalierError('email-taken', 'Another user has this e-mail address.');
      if (before !== null) this.#kv.remove(PREFIX.userByEmail + textKey(before.email));
      this.#kv.put(key, id);
    }
    if (isAdministrator(user)) this.#kv.put(PREFIX.administrator + id, id);
    else if (before !== null && isAdministrator(before)) this.#kv.remove(PREFIX.administrator + id);
    this.#kv.put(PREFIX.user + id, user);
  }
}

function isAdministrator(user: User): boolean {
  return user.administrator && !user.disabled;
}
