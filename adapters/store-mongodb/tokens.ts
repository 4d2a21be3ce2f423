import type { TokenRepository } from '../../core/ports/store.ts';
import type { Token } from '../../core/model/token.ts';
import type { WriteAccess } from './access.ts';
import { fromDoc, fromDocOrNull, toDoc } from './documents.ts';

export class MongodbTokens implements TokenRepository {
  readonly #access: WriteAccess;

  constructor(access: WriteAccess) {
    this.#access = access;
  }

  async get(id: string): Promise<Token | null> {
    return fromDocOrNull(await this.#access.byId('tokens', id));
  }

  async ofUser(userId: string, after: string | null, limit: number): Promise<readonly Token[]> {
    if (limit <= 0) return [];
    const filter = { userId: { $eq: userId }, _id: { $gt: after ?? '' } };
    const docs = await this.#access.ask({ from: 'tokens', filter, sort: { _id: 1 }, limit });
    return docs.map((doc) => fromDoc<Token>(doc));
  }

  async insert(token: Token): Promise<void> {
    await this.#access.insert('tokens', toDoc(token));
  }

  async replace(token: Token): Promise<void> {
    await this.#access.claimUser(token.userId);
    await this.#access.replace('tokens', toDoc(token));
  }

  /** Excludes every write that still goes by the token. */
  async remove(token: Token): Promise<void> {
    await this.#access.claimUser(token.userId);
    await this.#access.remove('tokens', token.id);
  }
}
