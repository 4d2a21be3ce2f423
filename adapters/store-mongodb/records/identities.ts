import type { IdentityRepository } from '../../../core/ports/store.ts';
import type { ExternalIdentity } from '../../../core/model/external-identity.ts';
import type { DocumentWriter } from '../query/document-writer.ts';
import type { Doc } from '../query/query.ts';
import { fromDoc, toDoc } from '../query/documents.ts';

export class MongodbIdentities implements IdentityRepository {
  readonly #documents: DocumentWriter;

  constructor(documents: DocumentWriter) {
    this.#documents = documents;
  }

  /** Excludes every other write that looks who the user is to whom. */
  async insert(identity: ExternalIdentity): Promise<void> {
    await this.#documents.lockUserForChange(identity.userId);
    await this.#documents.insert('identities', { ...toDoc(identity), identity: identityOf(identity) });
  }

  async ofUser(userId: string): Promise<readonly ExternalIdentity[]> {
    const docs = await this.#documents.query({ from: 'identities', filter: { userId: { $eq: userId } } });
    this.#documents.lockUsersForRead([userId]);
    return docs.map(identityFrom);
  }

  async list(after: ExternalIdentity | null, limit: number): Promise<readonly ExternalIdentity[]> {
    const filter = { _id: { $gt: after?.id ?? '' } };
    return (await this.#documents.query({ from: 'identities', filter, sort: { _id: 1 }, limit })).map(identityFrom);
  }
}

function identityFrom({ identity: _, ...doc }: Doc): ExternalIdentity {
  return fromDoc<ExternalIdentity>(doc);
}

/** Issuer and subject as one value. An issuer holds no white space, so they cannot be taken for others. */
export function identityOf({ issuer, subject }: Pick<ExternalIdentity, 'issuer' | 'subject'>): string {
  return `${issuer} ${subject}`;
}
