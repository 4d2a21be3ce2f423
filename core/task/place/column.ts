import type { Task } from '../../model/content/task.ts';
import type { Transaction } from '../../ports/store.ts';
import { MAX_MOVED } from '../../kernel/rebalance.ts';

/** A task to be placed: a new or an existing one. */
export type Placed = Pick<Task, 'id' | 'workspaceId'> | Task;

/** Keys read by the first query: most tasks have room next to them. */
export const FIRST_KEYS = 4;

/** The sort keys of a status while a task is placed in it; the task's own present key counts as free. */
export class BoardColumn {
  readonly workspaceId: string;
  readonly statusId: string;
  /** The present key of the task that is placed; undefined: it is new, or in another column. */
  readonly own: number | undefined;
  readonly #tx: Transaction;

  constructor(tx: Transaction, placing: Placed, statusId: string) {
    this.#tx = tx;
    this.workspaceId = placing.workspaceId;
    this.statusId = statusId;
    this.own = 'statusId' in placing && placing.statusId === statusId ? placing.statusOrderKey : undefined;
  }

  async first(): Promise<number | undefined> {
    return (await this.#keys(undefined, false, 1))[0];
  }

  async last(): Promise<number | undefined> {
    return (await this.#keys(undefined, true, 1))[0];
  }

  /** The largest key that is less than this one. */
  async below(key: number): Promise<number | undefined> {
    return (await this.#keys(key - 1, true, 1))[0];
  }

  /** The least key that is greater than this one. */
  async above(key: number): Promise<number | undefined> {
    return (await this.#keys(key + 1, false, 1))[0];
  }

  /** Up to `limit` keys from this one on (inclusive), ascending. */
  upFrom(key: number, limit: number): Promise<readonly number[]> {
    return this.#keys(key, false, limit);
  }

  /** Up to `limit` keys from this one on (inclusive), descending. */
  downFrom(key: number, limit: number): Promise<readonly number[]> {
    return this.#keys(key, true, limit);
  }

  /**
   * The number of consecutive keys next to this one, ascending (1) or descending (-1); counted up to `MAX_MOVED + 1`.
   */
  async run(key: number, step: 1 | -1): Promise<number> {
    for (const limit of [FIRST_KEYS, MAX_MOVED + 1]) {
      const keys = await this.#keys(key + step, step < 0, limit);
      const length = adjacent(keys, key, step);
      if (length < limit) return length;
    }
    return MAX_MOVED + 1;
  }

  /** Whether a key is free, and those next to it. */
  async hasRoomAt(key: number): Promise<boolean> {
    const taken = await this.#tx.tasks.placesTakenAmong(this.workspaceId, this.statusId, key - 1, key + 1);
    return taken.every((one) => one === this.own);
  }

  /** Up to `limit` tasks from a key on, without the one that is placed. */
  async tasks(from: number, limit: number): Promise<readonly Task[]> {
    const extra = this.own === undefined ? 0 : 1;
    const tasks = await this.#tx.tasks.column(this.workspaceId, this.statusId, { from, limit: limit + extra });
    return tasks.filter(({ statusOrderKey }) => statusOrderKey !== this.own);
  }

  /** The task's own key is seldom among them: one more is read only where it is. */
  async #keys(from: number | undefined, descending: boolean, limit: number): Promise<readonly number[]> {
    const keys = await this.#stored(from, descending, limit);
    if (this.own === undefined || !keys.includes(this.own)) return keys;
    const more = keys.length < limit ? keys : await this.#stored(from, descending, limit + 1);
    return more.filter((key) => key !== this.own);
  }

  #stored(from: number | undefined, descending: boolean, limit: number): Promise<readonly number[]> {
    const range = from === undefined ? { descending, limit } : { from, descending, limit };
    return this.#tx.tasks.placesTaken(this.workspaceId, this.statusId, range);
  }
}

/** The number of these keys that are consecutive from a key on. */
export function adjacent(keys: readonly number[], key: number, step: 1 | -1): number {
  const gap = keys.findIndex((other, n) => other !== key + step * (n + 1));
  return gap < 0 ? keys.length : gap;
}
