import type { ActivityRepository } from '../../core/store.ts';
import { idKey } from './key.ts';
import type { Kv } from './kv.ts';
import { table } from './table.ts';

export class KvActivity implements ActivityRepository {
  readonly #kv: Kv;

  constructor(kv: Kv) {
    this.#kv = kv;
  }

  async touch(subject: string, at: string): Promise<void> {
    const key = table.activity + idKey(subject);
    const before = this.#kv.get(key) as string | undefined;
    if (before === undefined || before < at) this.#kv.put(key, at);
  }

  async of(subjects: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>();
    for (const subject of subjects) {
      const at = this.#kv.get(table.activity + idKey(subject));
      if (at !== undefined) found.set(subject, at as string);
    }
    return found;
  }
}
