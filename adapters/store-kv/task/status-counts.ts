import type { Task } from '../../../core/model/content/task.ts';
import { ENTRY_COST } from '../engine/costs.ts';
import { idKey, idKeyAt, idOfKey, integerKey } from '../engine/key.ts';
import { type Kv, prefixRange, resumeFrom, scan } from '../engine/kv.ts';
import { PREFIX } from '../engine/key-prefixes.ts';
import type { Yielder } from '../../../core/ports/yielder.ts';
import { countEntries } from './count-entries.ts';
import { taskKey } from './index-keys.ts';
import type { TaskReader } from './reader.ts';

/**
 * A counter of tasks per status, maintained by the transactions that write tasks: a number by ids of board and status,
 * absent for 0.
 */
export interface StatusCount {
  readonly boardId: string;
  readonly statusId: string;
  readonly count: number;
}

/** Updates the counters for the change of one task. @param edge `countedTo` of this transaction */
export function changeCounts(
  kv: Kv,
  workspaceKey: string,
  before: Task | null,
  after: Task | null,
  edge: string | undefined,
): void {
  if (edge === undefined && before?.statusId === after?.statusId && before?.boardId === after?.boardId) return;
  if (before !== null && isCounted(workspaceKey, before, edge)) addToCount(kv, workspaceKey, before, -1);
  if (after !== null && isCounted(workspaceKey, after, edge)) addToCount(kv, workspaceKey, after, 1);
}

export function addToCount(
  kv: Kv,
  workspaceKey: string,
  { boardId, statusId }: Omit<StatusCount, 'count'>,
  by: number,
): void {
  const key = ofBoard(workspaceKey, boardId) + idKey(statusId);
  const count = ((kv.get(key) as number | undefined) ?? 0) + by;
  if (count === 0) kv.remove(key);
  else kv.put(key, count);
}

/** The counters of a board's statuses, those above 0. O(statuses of the board), once the store is counted. */
export async function countsOfBoard(
  reader: TaskReader,
  boardId: string,
  yielder: Yielder,
): Promise<Map<string, number>> {
  const { kv, workspaceKey } = reader;
  const prefix = ofBoard(workspaceKey, boardId);
  const counts = new Map<string, number>();
  for (const [key, count] of scan(kv, prefixRange(prefix))) {
    counts.set(idOfKey(key.slice(prefix.length)), count as number);
    const pause = yielder.step(ENTRY_COST);
    if (pause !== null) await pause;
  }
  const edge = reader.countedTo();
  if (edge === undefined) return counts;
  for (const { id } of reader.board(boardId)?.statuses ?? []) {
    const column = prefixRange(taskKey.column(workspaceKey, id));
    const count = await countEntries(kv, resumeFrom(column, edge, false), yielder);
    if (count > 0) counts.set(id, (counts.get(id) ?? 0) + count);
  }
  return counts;
}

/** The counters of these boards; complete once the store is counted. */
export function* countsOfBoards(reader: TaskReader, boards: Iterable<string>): IterableIterator<StatusCount> {
  for (const id of boards) yield* countsUnder(reader, ofBoard(reader.workspaceKey, id));
}

/**
 * The counters of all boards of the workspace, including boards that wait to be purged; complete once the store is
 * counted.
 */
export function countsOfWorkspace(reader: TaskReader): IterableIterator<StatusCount> {
  return countsUnder(reader, PREFIX.taskCount + reader.workspaceKey);
}

function* countsUnder({ kv, workspaceKey }: TaskReader, prefix: string): IterableIterator<StatusCount> {
  const start = PREFIX.taskCount.length + workspaceKey.length;
  let board = '';
  let boardId = '';
  for (const [key, count] of scan(kv, prefixRange(prefix))) {
    // Decoded once for all statuses of a board: that takes longer than the rest.
    if (board === '' || !key.startsWith(board, start)) {
      board = idKeyAt(key, start);
      boardId = idOfKey(board);
    }
    yield { boardId, statusId: idOfKey(key.slice(start + board.length)), count: count as number };
  }
}

function isCounted(workspaceKey: string, { statusId, statusOrderKey }: Task, edge: string | undefined): boolean {
  return edge === undefined || taskKey.column(workspaceKey, statusId) + integerKey(statusOrderKey) <= edge;
}

function ofBoard(workspaceKey: string, boardId: string): string {
  return PREFIX.taskCount + workspaceKey + idKey(boardId);
}
