import type { AuditRecord } from '../../../core/model/audit-record.ts';
import type { AuditRepository } from '../../../core/ports/store.ts';
import { idKey } from '../engine/key.ts';
import { type Kv, prefixRange } from '../engine/kv.ts';
import { NO_SPACE, type WorkspaceKeys } from '../structure/workspace-keys.ts';
import { PREFIX } from '../engine/key-prefixes.ts';
import { Yielder } from '../engine/yield.ts';

/** As long as so many others take to be written: it holds the access of a page. */
const RECORD = 4;

export class KvAudit implements AuditRepository {
  readonly #kv: Kv;
  readonly #spaces: WorkspaceKeys;

  constructor(kv: Kv, spaces: WorkspaceKeys) {
    this.#kv = kv;
    this.#spaces = spaces;
  }

  async append(records: readonly AuditRecord[]): Promise<void> {
    const turns = new Yielder();
    for (const record of records) {
      const turn = turns.step(RECORD);
      if (turn !== null) await turn;
      const space = record.workspaceId === null ? NO_SPACE : this.#spaces.claim(record.workspaceId);
      this.#kv.put(PREFIX.audit + space + idKey(record.id), record);
    }
  }

  async list(workspaceId: string | null, after: string | null, limit: number): Promise<readonly AuditRecord[]> {
    const space = workspaceId === null ? NO_SPACE : this.#spaces.key(workspaceId);
    if (space === null) return [];
    const prefix = PREFIX.audit + space;
    const { from, to } = prefixRange(prefix);
    const range = { from, to: after === null ? to : prefix + idKey(after) };
    return this.#kv.range(range, limit, true).map(([, record]) => record as AuditRecord);
  }
}
