import type { AuditRecord } from '../../core/audit/record.ts';
import type { AuditRepository } from '../../core/store.ts';
import { idKey } from './key.ts';
import { type Kv, within } from './kv.ts';
import { NO_SPACE, type Spaces } from './spaces.ts';
import { table } from './table.ts';
import { Turns } from './turns.ts';

/** As long as so many others take to be written: it holds the access of a page. */
const RECORD = 4;

export class KvAudit implements AuditRepository {
  readonly #kv: Kv;
  readonly #spaces: Spaces;

  constructor(kv: Kv, spaces: Spaces) {
    this.#kv = kv;
    this.#spaces = spaces;
  }

  async append(records: readonly AuditRecord[]): Promise<void> {
    const turns = new Turns();
    for (const record of records) {
      const turn = turns.step(RECORD);
      if (turn !== null) await turn;
      const space = record.workspaceId === null ? NO_SPACE : this.#spaces.claim(record.workspaceId);
      this.#kv.put(table.audit + space + idKey(record.id), record);
    }
  }

  async list(workspaceId: string | null, after: string | null, limit: number): Promise<readonly AuditRecord[]> {
    const space = workspaceId === null ? NO_SPACE : this.#spaces.key(workspaceId);
    if (space === null) return [];
    const prefix = table.audit + space;
    const { from, to } = within(prefix);
    const range = { from, to: after === null ? to : prefix + idKey(after) };
    return this.#kv.range(range, limit, true).map(([, record]) => record as AuditRecord);
  }
}
