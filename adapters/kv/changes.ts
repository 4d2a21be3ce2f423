import type { Change } from '../../core/change.ts';
import type { ChangeRepository } from '../../core/store.ts';
import { idKey } from './key.ts';
import { after as behindKey, type Kv, within } from './kv.ts';
import { NO_SPACE, type Spaces } from './spaces.ts';
import { table } from './table.ts';

export class KvChanges implements ChangeRepository {
  readonly #kv: Kv;
  readonly #spaces: Spaces;

  constructor(kv: Kv, spaces: Spaces) {
    this.#kv = kv;
    this.#spaces = spaces;
  }

  async append(changes: readonly Change[]): Promise<void> {
    for (const change of changes) {
      const space = change.workspaceId === null ? NO_SPACE : this.#spaces.claim(change.workspaceId);
      this.#kv.put(table.change + space + idKey(change.id), change);
    }
  }

  async list(workspaceId: string, after: string | null, limit: number): Promise<readonly Change[]> {
    const space = this.#spaces.key(workspaceId);
    if (space === null) return [];
    const prefix = table.change + space;
    const range = after === null ? within(prefix) : behindKey(within(prefix), prefix + idKey(after));
    return this.#kv.range(range, limit, false).map(([, change]) => change as Change);
  }
}
