import { EspalierError } from '../../core/errors.ts';
import type { IdentityRepository } from '../../core/store.ts';
import type { ExternalIdentity } from '../../core/user/external-identity.ts';
import { idKey, textKey } from './key.ts';
import { after as behind, type Kv, scan, within } from './kv.ts';
import { table } from './table.ts';

const ALL = within(table.identity);

export class KvIdentities implements IdentityRepository {
  readonly #kv: Kv;

  constructor(kv: Kv) {
    this.#kv = kv;
  }

  async insert(identity: ExternalIdentity): Promise<void> {
    const key = identityKey(identity.issuer, identity.subject);
    if (this.#kv.get(key) !== undefined) {
      throw new EspalierError('identity-taken', 'Another user has this identity.');
    }
    this.#kv.put(key, identity);
    this.#kv.put(table.identityOfUser + idKey(identity.userId) + idKey(identity.id), key);
  }

  async ofUser(userId: string): Promise<readonly ExternalIdentity[]> {
    const keys = [...scan(this.#kv, within(table.identityOfUser + idKey(userId)))];
    return keys.flatMap(([, key]) => (this.#kv.get(key as string) as ExternalIdentity | undefined) ?? []);
  }

  async list(after: ExternalIdentity | null, limit: number): Promise<readonly ExternalIdentity[]> {
    const range = after === null ? ALL : behind(ALL, identityKey(after.issuer, after.subject));
    return this.#kv.range(range, limit, false).map(([, identity]) => identity as ExternalIdentity);
  }
}

/** An issuer holds no white space, so the two cannot be taken for others. */
export function identityKey(issuer: string, subject: string): string {
  return table.identity + textKey(`${issuer} ${subject}`);
}
