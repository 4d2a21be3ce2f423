import type { Change } from '../../../core/model/change.ts';
import type { ChangeRepository } from '../../../core/ports/store.ts';
import { idKey } from '../engine/key.ts';
import { rangeAfter as behindKey, type Kv, prefixRange } from '../engine/kv.ts';
import { NO_SPACE, type WorkspaceKeys } from '../structure/workspace-keys.ts';
import { PREFIX } from '../engine/key-prefixes.ts';

export class KvChanges implements ChangeRepository {
  readonly #kv: Kv;
  readonly #spaces: WorkspaceKeys;

  constructor(kv: Kv, spaces: WorkspaceKeys) {
    this.#kv = kv;
    this.#spaces = spaces;
  }

  async append(changes: readonly Change[]): Promise<void> {
    for (const change of changes) {
      const space = change.workspaceId === null ? NO_SPACE : this.#spaces.claim(change.workspaceId);
      this.#kv.put(PREFIX.change + space + idKey(change.id), change);
    }
  }

  async list(workspaceId: string, after: string | null, limit: number): Promise<readonly Change[]> {
    const space = this.#spaces.key(workspaceId);
    if (space === null) return [];
    const prefix = PREFIX.change + space;
    const range = after === null ? prefixRange(prefix) : behindKey(prefixRange(prefix), prefix + idKey(after));
    return this.#kv.range(range, limit, false).map(([, change]) => change as Change);
  }
}
