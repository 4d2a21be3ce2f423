import { EspalierError } from '../../../core/kernel/errors.ts';
import type { IdentityRepository } from '../../../core/ports/store.ts';
import type { ExternalIdentity } from '../../../core/model/external-identity.ts';
import { idKey, textKey } from '../engine/key.ts';
import { rangeAfter, type Kv, scan, prefixRange } from '../engine/kv.ts';
import { PREFIX } from '../engine/key-prefixes.ts';

const ALL = prefixRange(PREFIX.identity);

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
    this.#kv.put(PREFIX.identityOfUser + idKey(identity.userId) + idKey(identity.id), key);
  }

  async ofUser(userId: string): Promise<readonly ExternalIdentity[]> {
    const keys = [...scan(this.#kv, prefixRange(PREFIX.identityOfUser + idKey(userId)))];
    return keys.flatMap(([, key]) => (this.#kv.get(key as string) as ExternalIdentity | undefined) ?? []);
  }

  async list(after: ExternalIdentity | null, limit: number): Promise<readonly ExternalIdentity[]> {
    const range = after === null ? ALL : rangeAfter(ALL, identityKey(after.issuer, after.subject));
    return this.#kv.range(range, limit, false).map(([, identity]) => identity as ExternalIdentity);
  }
}

/** An issuer holds no white space, so the two cannot be taken for others. */
export function identityKey(issuer: string, subject: string): string {
  return PREFIX.identity + textKey(`${issuer} ${subject}`);
}
