import type { ColumnRange } from '../../core/ports/store.ts';
import type { Task } from '../../core/model/task.ts';
import type { Derived } from './access.ts';

/**
 * The last tasks of columns, as a transaction has read and written them, the last one first: all that is
 * asked for when one is put behind them. Putting many in a row takes one query.
 */
export type Tails = ReadonlyMap<string, readonly Task[]>;

/** Tasks of a tail: those that somebody who puts one behind them looks at. */
export const TAIL = 2;
const KEY = 'tails';
const NONE: Tails = new Map();

export function isTail({ from, descending, limit }: ColumnRange): boolean {
  return from === undefined && descending === true && limit <= TAIL;
}

export function tailsOf(derived: Derived): Tails {
  return (derived.get(KEY) as Tails | undefined) ?? NONE;
}

export function learnTail(derived: Derived, statusId: string, tasks: readonly Task[]): void {
  derived.set(KEY, new Map(tailsOf(derived)).set(statusId, tasks));
}

export function tailsAfterPut(derived: Derived, task: Task): void {
  const stays = ({ id, statusId, statusOrderKey }: Task): boolean =>
    id !== task.id || (statusId === task.statusId && statusOrderKey === task.statusOrderKey);
  const tails = new Map([...tailsOf(derived)].filter(([, tail]) => tail.every(stays)));
  const tail = tails.get(task.statusId);
  if (tail !== undefined) {
    const all = [...tail.filter(({ id }) => id !== task.id), task];
    all.sort((a, b) => b.statusOrderKey - a.statusOrderKey);
    tails.set(task.statusId, all.slice(0, TAIL));
  }
  derived.set(KEY, tails);
}

export function tailsAfterRemoval(derived: Derived, taskId: string): void {
  derived.set(KEY, new Map([...tailsOf(derived)].filter(([, tail]) => tail.every(({ id }) => id !== taskId))));
}

/** Takes over what was known before. */
export function withTails(derived: Derived, tails: Tails): void {
  derived.set(KEY, new Map([...tails, ...tailsOf(derived)]));
}
