import type { TokenRepository } from '../../../core/ports/store.ts';
import type { Token } from '../../../core/model/token.ts';
import type { DocumentWriter } from '../query/document-writer.ts';
import { fromDoc, fromDocOrNull, toDoc } from '../query/documents.ts';

export class MongodbTokens implements TokenRepository {
  readonly #documents: DocumentWriter;

  constructor(documents: DocumentWriter) {
    this.#documents = documents;
  }

  async get(id: string): Promise<Token | null> {
    return fromDocOrNull(await this.#documents.byId('tokens', id));
  }

  async ofUser(userId: string, after: string | null, limit: number): Promise<readonly Token[]> {
    if (limit <= 0) return [];
    const filter = { userId: { $eq: userId }, _id: { $gt: after ?? '' } };
    const docs = await this.#documents.query({ from: 'tokens', filter, sort: { _id: 1 }, limit });
    return docs.map((doc) => fromDoc<Token>(doc));
  }

  async insert(token: Token): Promise<void> {
    await this.#documents.insert('tokens', toDoc(token));
  }

  async replace(token: Token): Promise<void> {
    await this.#documents.lockUserForChange(token.userId);
    await this.#documents.replace('tokens', toDoc(token));
  }

  /** Excludes every write that still goes by the token. */
  async remove(token: Token): Promise<void> {
    await this.#documents.lockUserForChange(token.userId);
    await this.#documents.remove('tokens', token.id);
  }
}
