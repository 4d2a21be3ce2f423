import type { ActivityRepository } from '../../../core/ports/store.ts';
import { idKey } from '../engine/key.ts';
import type { Kv } from '../engine/kv.ts';
import { PREFIX } from '../engine/key-prefixes.ts';

export class KvActivity implements ActivityRepository {
  readonly #kv: Kv;

  constructor(kv: Kv) {
    this.#kv = kv;
  }

  async touch(subject: string, at: string): Promise<void> {
    const key = PREFIX.activity + idKey(subject);
    const before = this.#kv.get(key) as string | undefined;
    if (before === undefined || before < at) this.#kv.put(key, at);
  }

  async of(subjects: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>();
    for (const subject of subjects) {
      const at = this.#kv.get(PREFIX.activity + idKey(subject));
      if (at !== undefined) found.set(subject, at as string);
    }
    return found;
  }
}
