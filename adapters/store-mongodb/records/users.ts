import type { UserRepository } from '../../../core/ports/store.ts';
import type { Token } from '../../../core/model/token.ts';
import type { User } from '../../../core/model/user.ts';
import type { DocumentWriter } from '../query/document-writer.ts';
import type { Doc } from '../query/query.ts';
import { fromDoc, fromDocOrNull, toDoc } from '../query/documents.ts';
import { identityOf } from './identities.ts';

export class MongodbUsers implements UserRepository {
  readonly #documents: DocumentWriter;

  constructor(documents: DocumentWriter) {
    this.#documents = documents;
  }

  async get(id: string): Promise<User | null> {
    const user = fromDocOrNull<User>(await this.#documents.byId('users', id));
    this.#documents.lockUsersForRead([id]);
    return user;
  }

  async many(ids: readonly string[]): Promise<ReadonlyMap<string, User>> {
    if (ids.length === 0) return new Map();
    const [only] = ids;
    const docs =
      ids.length === 1
        ? [await this.#documents.byId('users', only as string)].filter((doc): doc is Doc => doc !== null)
        : await this.#documents.query({ from: 'users', filter: { _id: { $in: [...new Set(ids)] } } });
    this.#documents.lockUsersForRead(ids);
    return new Map(docs.map((doc) => [doc._id, fromDoc<User>(doc)]));
  }

  async byEmail(foldedEmail: string): Promise<User | null> {
    return fromDocOrNull(await this.#documents.byValue('users', 'email', foldedEmail));
  }

  async byToken(hash: string): Promise<{ readonly user: User; readonly token: Token } | null> {
    const found = await this.#shown('tokens', 'hash', hash);
    if (found === null) return null;
    return { user: fromDoc<User>(found.user), token: fromDoc<Token>(found.credential) };
  }

  async byIdentity(issuer: string, subject: string): Promise<User | null> {
    const found = await this.#shown('identities', 'identity', identityOf({ issuer, subject }));
    return found === null ? null : fromDoc<User>(found.user);
  }

  async list(after: string | null, limit: number): Promise<readonly User[]> {
    if (limit <= 0) return [];
    const filter = { _id: { $gt: after ?? '' } };
    const docs = await this.#documents.query({ from: 'users', filter, sort: { _id: 1 }, limit });
    return docs.map((doc) => fromDoc<User>(doc));
  }

  async administrators(limit: number): Promise<readonly User[]> {
    if (limit <= 0) return [];
    // Whoever looks whether there is another one, in order to take one away, excludes all who do the same.
    await this.#documents.lockExclusive('administrators');
    const filter = { administrator: { $eq: true }, disabled: { $eq: false } };
    return (await this.#documents.query({ from: 'users', filter, limit })).map((doc) => fromDoc<User>(doc));
  }

  async insert(user: User): Promise<void> {
    await this.#documents.insert('users', toDoc(user));
  }

  async replace(user: User): Promise<void> {
    await this.#documents.lockUserForChange(user.id);
    await this.#documents.replace('users', toDoc(user));
  }

  /** The record that says who somebody is, and the user that it belongs to. */
  async #shown(from: 'tokens' | 'identities', field: string, value: string) {
    const credential = await this.#documents.byValue(from, field, value);
    if (credential === null) return null;
    const user = await this.#documents.byId('users', credential['userId'] as string);
    if (user === null) return null;
    this.#documents.lockUsersForRead([user._id]);
    return { user, credential };
  }
}
