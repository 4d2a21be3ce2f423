import type { ColumnRange } from '../../../core/ports/store.ts';
import type { Task } from '../../../core/model/task.ts';
import type { TransactionCache } from '../query/document-writer.ts';

/**
 * The last tasks of columns, as a transaction has read and written them, the last one first: all that is
 * asked for when one is put behind them. Putting many in a row takes one query.
 */
export type ColumnEnds = ReadonlyMap<string, readonly Task[]>;

/** Tasks of a end: those that somebody who puts one behind them looks at. */
export const END_SIZE = 2;
const KEY = 'ends';
const NONE: ColumnEnds = new Map();

export function isColumnEnd({ from, descending, limit }: ColumnRange): boolean {
  return from === undefined && descending === true && limit <= END_SIZE;
}

export function columnEndsOf(transactionCache: TransactionCache): ColumnEnds {
  return (transactionCache.get(KEY) as ColumnEnds | undefined) ?? NONE;
}

export function addColumnEnd(transactionCache: TransactionCache, statusId: string, tasks: readonly Task[]): void {
  transactionCache.set(KEY, new Map(columnEndsOf(transactionCache)).set(statusId, tasks));
}

export function columnEndsAfterPut(transactionCache: TransactionCache, task: Task): void {
  const stays = ({ id, statusId, statusOrderKey }: Task): boolean =>
    id !== task.id || (statusId === task.statusId && statusOrderKey === task.statusOrderKey);
  const ends = new Map([...columnEndsOf(transactionCache)].filter(([, end]) => end.every(stays)));
  const end = ends.get(task.statusId);
  if (end !== undefined) {
    const all = [...end.filter(({ id }) => id !== task.id), task];
    all.sort((a, b) => b.statusOrderKey - a.statusOrderKey);
    ends.set(task.statusId, all.slice(0, END_SIZE));
  }
  transactionCache.set(KEY, ends);
}

export function columnEndsAfterRemoval(transactionCache: TransactionCache, taskId: string): void {
  transactionCache.set(
    KEY,
    new Map([...columnEndsOf(transactionCache)].filter(([, end]) => end.every(({ id }) => id !== taskId))),
  );
}

/** Takes over what was known before. */
export function withColumnEnds(transactionCache: TransactionCache, ends: ColumnEnds): void {
  transactionCache.set(KEY, new Map([...ends, ...columnEndsOf(transactionCache)]));
}
