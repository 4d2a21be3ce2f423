import type { Board } from '../../../core/model/content/board.ts';
import { taskFrom, type Task } from '../../../core/model/content/task.ts';
import { idKey } from '../engine/key.ts';
import { type KvEntry, type KvRange, type KvReader, prefixRange } from '../engine/kv.ts';
import { PREFIX } from '../engine/key-prefixes.ts';
import { countedTo } from './counted-to.ts';
import { numOf, taskKey } from './index-keys.ts';

/** Reads tasks and boards of one workspace in one transaction. */
export class TaskReader {
  readonly kv: KvReader;
  readonly workspaceKey: string;
  readonly #records: string;
  /** Null until it is read. */
  #countedTo: string | undefined | null = null;

  constructor(kv: KvReader, workspaceKey: string) {
    this.kv = kv;
    this.workspaceKey = workspaceKey;
    this.#records = taskKey.records(workspaceKey);
  }

  /** @param num encoded */
  task(num: string): Task | undefined {
    const stored = this.kv.get(this.#records + num) as Task | undefined;
    return stored && taskFrom(stored);
  }

  /** The task of an index entry or record. */
  at(entry: KvEntry): Task | undefined {
    return entry[0].startsWith(PREFIX.task) ? taskFrom(entry[1] as Task) : this.task(numOf(entry));
  }

  byId(id: string): Task | undefined {
    return this.#named(taskKey.byId(this.workspaceKey, idKey(id)));
  }

  byExternalId(externalId: string): Task | undefined {
    return this.#named(taskKey.external(this.workspaceKey, externalId));
  }

  board(id: string): Board | undefined {
    return this.kv.get(PREFIX.board + this.workspaceKey + idKey(id)) as Board | undefined;
  }

  boards(): KvRange {
    return prefixRange(PREFIX.board + this.workspaceKey);
  }

  /** {@link countedTo}, read once. */
  countedTo(): string | undefined {
    if (this.#countedTo === null) this.#countedTo = countedTo(this.kv);
    return this.#countedTo;
  }

  /** The last running number that was assigned. */
  lastNum(): number {
    return (this.kv.get(PREFIX.nums + this.workspaceKey) as number | undefined) ?? 0;
  }

  /** The number of entries in ranges of an index, counted up to `bound`. */
  sizeUpTo(bound: number, ranges: readonly KvRange[]): number {
    let size = 0;
    if (ranges.length > bound) return bound;
    for (const range of ranges) {
      size += this.kv.range(range, bound - size, false).length;
      if (size >= bound) break;
    }
    return size;
  }

  #named(key: string): Task | undefined {
    const num = this.kv.get(key) as string | undefined;
    return num === undefined ? undefined : this.task(num);
  }
}
