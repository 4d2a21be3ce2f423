import type { ExternalIdentity } from '../../../core/model/external-identity.ts';
import type { Token } from '../../../core/model/token.ts';
import type { User } from '../../../core/model/user.ts';
import type { IdentityRepository, TokenRepository, UserRepository } from '../../../core/ports/store.ts';
import { fromDoc, toDoc } from '../query/documents.ts';
import type { DocumentWriter } from '../query/document-writer.ts';
import type { Doc } from '../query/query.ts';
import { RecordCollection } from './record-collection.ts';

/** A read locks the users that it gives for reading, a change of a user, token or identity for a change. */
export class MongodbUsers extends RecordCollection<User> implements UserRepository {
  constructor(documents: DocumentWriter) {
    super(documents, 'users');
  }

  async get(id: string): Promise<User | null> {
    const user = await this.byId(id);
    this.documents.lockUsersForRead([id]);
    return user;
  }

  async many(ids: readonly string[]): Promise<ReadonlyMap<string, User>> {
    const [first, ...others] = new Set(ids);
    if (first === undefined) return new Map();
    const one = others.length === 0 ? await this.byId(first) : null;
    const users = others.length === 0 ? (one === null ? [] : [one]) : await this.all(null, { _id: { $in: [...ids] } });
    this.documents.lockUsersForRead(ids);
    return new Map(users.map((user) => [user.id, user]));
  }

  byEmail(foldedEmail: string): Promise<User | null> {
    return this.byValue('email', foldedEmail);
  }

  async byToken(hash: string): Promise<{ readonly user: User; readonly token: Token } | null> {
    const found = await this.#byCredential('tokens', 'hash', hash);
    return found && { user: fromDoc<User>(found.user), token: fromDoc<Token>(found.credential) };
  }

  async byIdentity(issuer: string, subject: string): Promise<User | null> {
    const found = await this.#byCredential('identities', 'identity', identityKey({ issuer, subject }));
    return found && fromDoc<User>(found.user);
  }

  list(after: string | null, limit: number): Promise<readonly User[]> {
    return this.listById(null, {}, after, limit);
  }

  /** Excludes every other transaction that looks: it may be about to take one away because there is another. */
  async administrators(limit: number): Promise<readonly User[]> {
    if (limit <= 0) return [];
    await this.documents.lockExclusive('administrators');
    return this.all(null, { administrator: { $eq: true }, disabled: { $eq: false } }, { limit });
  }

  override async replace(user: User): Promise<void> {
    await this.documents.lockUserForChange(user.id);
    await super.replace(user);
  }

  async #byCredential(from: 'tokens' | 'identities', field: string, value: string) {
    const credential = await this.documents.byValue(from, field, value);
    if (credential === null) return null;
    const user = await this.documents.byId('users', credential['userId'] as string);
    if (user === null) return null;
    this.documents.lockUsersForRead([user._id]);
    return { user, credential };
  }
}

export class MongodbTokens extends RecordCollection<Token> implements TokenRepository {
  constructor(documents: DocumentWriter) {
    super(documents, 'tokens');
  }

  get(id: string): Promise<Token | null> {
    return this.byId(id);
  }

  ofUser(userId: string, after: string | null, limit: number): Promise<readonly Token[]> {
    return this.listById(null, { userId: { $eq: userId } }, after, limit);
  }

  async countOfUser(userId: string, limit: number): Promise<number> {
    await this.documents.lockExclusive(`tokens/${userId}`);
    return (await this.all(null, { userId: { $eq: userId } }, { limit })).length;
  }

  override async replace(token: Token): Promise<void> {
    await this.documents.lockUserForChange(token.userId);
    await super.replace(token);
  }

  override async remove(token: Token): Promise<void> {
    await this.documents.lockUserForChange(token.userId);
    await super.remove(token);
  }
}

export class MongodbIdentities extends RecordCollection<ExternalIdentity> implements IdentityRepository {
  constructor(documents: DocumentWriter) {
    super(documents, 'identities');
  }

  async ofUser(userId: string): Promise<readonly ExternalIdentity[]> {
    const identities = await this.all(null, { userId: { $eq: userId } });
    this.documents.lockUsersForRead([userId]);
    return identities;
  }

  list(after: ExternalIdentity | null, limit: number): Promise<readonly ExternalIdentity[]> {
    return this.listById(null, {}, after?.id ?? null, limit);
  }

  override async insert(identity: ExternalIdentity): Promise<void> {
    await this.documents.lockUserForChange(identity.userId);
    await super.insert(identity);
  }

  protected override toDoc(identity: ExternalIdentity): Doc {
    return { ...toDoc(identity), identity: identityKey(identity) };
  }

  protected override fromDoc({ identity: _, ...doc }: Doc): ExternalIdentity {
    return fromDoc<ExternalIdentity>(doc);
  }
}

/** Issuer and subject as one value. An issuer holds no white space, so no other pair gives the same. */
function identityKey({ issuer, subject }: Pick<ExternalIdentity, 'issuer' | 'subject'>): string {
  return `${issuer} ${subject}`;
}
