import { EspalierError } from '../../core/errors.ts';
import type { UserRepository } from '../../core/store.ts';
import type { Token } from '../../core/token/token.ts';
import type { ExternalIdentity } from '../../core/user/external-identity.ts';
import type { User } from '../../core/user/user.ts';
import { identityKey } from './identities.ts';
import { idKey, textKey } from './key.ts';
import { after as behindKey, type Kv, scan, within } from './kv.ts';
import { table } from './table.ts';

const USERS = within(table.user);
const ADMINISTRATORS = within(table.administrator);

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
    const id = this.#kv.get(table.userByEmail + textKey(foldedEmail));
    return id === undefined ? null : this.#get(id as string);
  }

  async byToken(hash: string): Promise<{ readonly user: User; readonly token: Token } | null> {
    const id = this.#kv.get(table.tokenByHash + textKey(hash));
    if (id === undefined) return null;
    const token = this.#kv.get(table.token + (id as string)) as Token | undefined;
    const user = token === undefined ? null : this.#get(idKey(token.userId));
    return token === undefined || user === null ? null : { user, token };
  }

  async byIdentity(issuer: string, subject: string): Promise<User | null> {
    const identity = this.#kv.get(identityKey(issuer, subject)) as ExternalIdentity | undefined;
    return identity === undefined ? null : this.#get(idKey(identity.userId));
  }

  async list(after: string | null, limit: number): Promise<readonly User[]> {
    const range = after === null ? USERS : behindKey(USERS, table.user + idKey(after));
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
    return (this.#kv.get(table.user + id) as User | undefined) ?? null;
  }

  #put(user: User, before: User | null): void {
    const id = idKey(user.id);
    if (before?.email !== user.email) {
      const key = table.userByEmail + textKey(user.email);
      if (this.#kv.get(key) !== undefined)
        throw new EspalierError('email-taken', 'Another user has this e-mail address.');
      if (before !== null) this.#kv.remove(table.userByEmail + textKey(before.email));
      this.#kv.put(key, id);
    }
    if (isAdministrator(user)) this.#kv.put(table.administrator + id, id);
    else if (before !== null && isAdministrator(before)) this.#kv.remove(table.administrator + id);
    this.#kv.put(table.user + id, user);
  }
}

function isAdministrator(user: User): boolean {
  return user.administrator && !user.disabled;
}
