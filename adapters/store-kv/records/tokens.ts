import type { TokenRepository } from '../../../core/ports/store.ts';
import type { Token } from '../../../core/model/token.ts';
import { idKey, textKey } from '../engine/key.ts';
import { rangeAfter as behindKey, type Kv, prefixRange } from '../engine/kv.ts';
import { PREFIX } from '../engine/key-prefixes.ts';

export class KvTokens implements TokenRepository {
  readonly #kv: Kv;

  constructor(kv: Kv) {
    this.#kv = kv;
  }

  async get(id: string): Promise<Token | null> {
    return this.#get(idKey(id));
  }

  async ofUser(userId: string, after: string | null, limit: number): Promise<readonly Token[]> {
    const prefix = PREFIX.tokenOfUser + idKey(userId);
    const range = after === null ? prefixRange(prefix) : behindKey(prefixRange(prefix), prefix + idKey(after));
    return this.#kv.range(range, limit, false).flatMap(([, id]) => this.#get(id as string) ?? []);
  }

  async countOfUser(userId: string, limit: number): Promise<number> {
    return this.#kv.range(prefixRange(PREFIX.tokenOfUser + idKey(userId)), limit, false).length;
  }

  async insert(token: Token): Promise<void> {
    const id = idKey(token.id);
    this.#kv.put(PREFIX.token + id, token);
    this.#kv.put(PREFIX.tokenByHash + textKey(token.hash), id);
    this.#kv.put(PREFIX.tokenOfUser + idKey(token.userId) + id, id);
  }

  async replace(token: Token): Promise<void> {
    const before = this.#get(idKey(token.id));
    if (before !== null) await this.remove(before);
    await this.insert(token);
  }

  async remove(token: Token): Promise<void> {
    const id = idKey(token.id);
    this.#kv.remove(PREFIX.token + id);
    this.#kv.remove(PREFIX.tokenByHash + textKey(token.hash));
    this.#kv.remove(PREFIX.tokenOfUser + idKey(token.userId) + id);
  }

  #get(id: string): Token | null {
    return (this.#kv.get(PREFIX.token + id) as Token | undefined) ?? null;
  }
}
