import type { TokenRepository } from '../../core/store.ts';
import type { Token } from '../../core/token/token.ts';
import { idKey, textKey } from './key.ts';
import { after as behindKey, type Kv, within } from './kv.ts';
import { table } from './table.ts';

export class KvTokens implements TokenRepository {
  readonly #kv: Kv;

  constructor(kv: Kv) {
    this.#kv = kv;
  }

  async get(id: string): Promise<Token | null> {
    return this.#get(idKey(id));
  }

  async ofUser(userId: string, after: string | null, limit: number): Promise<readonly Token[]> {
    const prefix = table.tokenOfUser + idKey(userId);
    const range = after === null ? within(prefix) : behindKey(within(prefix), prefix + idKey(after));
    return this.#kv.range(range, limit, false).flatMap(([, id]) => this.#get(id as string) ?? []);
  }

  async insert(token: Token): Promise<void> {
    const id = idKey(token.id);
    this.#kv.put(table.token + id, token);
    this.#kv.put(table.tokenByHash + textKey(token.hash), id);
    this.#kv.put(table.tokenOfUser + idKey(token.userId) + id, id);
  }

  async replace(token: Token): Promise<void> {
    const before = this.#get(idKey(token.id));
    if (before !== null) await this.remove(before);
    await this.insert(token);
  }

  async remove(token: Token): Promise<void> {
    const id = idKey(token.id);
    this.#kv.remove(table.token + id);
    this.#kv.remove(table.tokenByHash + textKey(token.hash));
    this.#kv.remove(table.tokenOfUser + idKey(token.userId) + id);
  }

  #get(id: string): Token | null {
    return (this.#kv.get(table.token + id) as Token | undefined) ?? null;
  }
}
