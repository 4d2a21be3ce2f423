import type { Board } from '../../../core/model/board.ts';
import { taskFrom, type Task } from '../../../core/model/task.ts';
import { idKey, idOfKey } from '../engine/key.ts';
import { type KvEntry, type KvRange, type KvReader, prefixRange } from '../engine/kv.ts';
import { PREFIX } from '../engine/key-prefixes.ts';
import { numOf, taskKey } from './index-keys.ts';

/** The tasks and boards of one workspace in one transaction. */
export class TaskReader {
  readonly kv: KvReader;
  readonly space: string;

  constructor(kv: KvReader, space: string) {
    this.kv = kv;
    this.space = space;
  }

  /** @param num packed */
  task(num: string): Task | undefined {
    const stored = this.kv.get(taskKey.record(this.space, num)) as Task | undefined;
    return stored && taskFrom(stored);
  }

  /** That of an entry of any index, or of the records. */
  at(entry: KvEntry): Task | undefined {
    return typeof entry[1] === 'object' ? taskFrom(entry[1] as Task) : this.task(numOf(entry));
  }

  byId(id: string): Task | undefined {
    return this.#named(taskKey.byId(this.space, idKey(id)));
  }

  byExternalId(externalId: string): Task | undefined {
    return this.#named(taskKey.external(this.space, externalId));
  }

  board(id: string): Board | undefined {
    return this.kv.get(PREFIX.board + this.space + idKey(id)) as Board | undefined;
  }

  boards(): KvRange {
    return prefixRange(PREFIX.board + this.space);
  }

  boardIds(): string[] {
    const { from } = this.boards();
    return this.kv.range(this.boards(), Infinity, false).map(([key]) => idOfKey(key.slice(from.length)));
  }

  /** The largest running number so far: about how many tasks there are. */
  lastNum(): number {
    return (this.kv.get(PREFIX.nums + this.space) as number | undefined) ?? 0;
  }

  /** How many entries the ranges hold together, counted up to `bound`. */
  sizeUpTo(bound: number, ranges: readonly KvRange[]): number {
    let size = 0;
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
