import type { ColumnRange } from '../../../core/ports/store.ts';
import type { Task } from '../../../core/model/task.ts';
import type { TransactionCache } from '../query/document-writer.ts';

/**
 * The last tasks of columns by status, the last one first, as a transaction has read and written them. Appending a
 * task to a column needs no more, so appending many takes one query.
 */
export type ColumnEnds = ReadonlyMap<string, readonly Task[]>;

/** Tasks that are kept of a column: those that appending reads. */
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

/** Adds the ends that the cache has, where the transaction knows nothing newer. */
export function withColumnEnds(transactionCache: TransactionCache, ends: ColumnEnds): void {
  transactionCache.set(KEY, new Map([...ends, ...columnEndsOf(transactionCache)]));
}
