import { keysBetween } from '../../kernel/order-key.ts';
import type { Task } from '../../model/content/task.ts';
import type { Transaction } from '../../ports/store.ts';
import type { ColumnRange } from '../../ports/tasks.ts';
import { ColumnCrowded, type PlacingContext, enqueueRespread } from './crowded.ts';
import type { Position } from './position.ts';
import { MAX_MOVED, rebalance, roomyGap } from '../../kernel/rebalance.ts';

/** A column in which several existing tasks are placed beside each other. */
export interface Together {
  readonly workspaceId: string;
  readonly statusId: string;
  /** The present keys of the tasks to be placed, in the order in which they are to stand; null: in another column. */
  readonly present: readonly (number | null)[];
  /** Keys of this column that the write gives up: they count as free. */
  readonly givenUp: ReadonlySet<number>;
}

export interface PlacedTogether {
  /** In order. */
  readonly keys: readonly number[];
  /** New keys of other tasks, which make room. */
  readonly moved: ReadonlyMap<Task, number>;
}

const NONE: ReadonlyMap<Task, number> = new Map();

/**
 * The sort keys of several tasks that are placed beside each other. Like `placeInStatus`, others move only where there
 * is no room, at most `MAX_MOVED` of them. Tasks that all stand there already keep their keys. O(1) index reads where
 * there is room; plus the keys given up.
 *
 * @param position beside a task that is not placed itself
 * @throws {@link ColumnCrowded}
 */
export async function placeTogether(
  tx: Transaction,
  context: PlacingContext,
  column: Together,
  position: Exclude<Position, { at: 'key' }>,
): Promise<PlacedTogether> {
  const { lower, upper } = await neighboursOf(tx, column, position);
  if (standBetween(column.present, lower, upper)) return { keys: column.present, moved: NONE };
  const keys = keysBetween(lower, upper, column.present.length);
  return keys === null ? makeRoom(tx, context, column, lower, upper) : { keys, moved: NONE };
}

/** Whether these are ascending keys between two neighbours. */
function standBetween(
  keys: readonly (number | null)[],
  lower = -Infinity,
  upper = Infinity,
): keys is readonly number[] {
  let last = lower;
  for (const key of keys) {
    if (key === null || key <= last) return false;
    last = key;
  }
  return last < upper;
}

async function neighboursOf(tx: Transaction, column: Together, position: Exclude<Position, { at: 'key' }>) {
  const first = async (range: Omit<ColumnRange, 'limit'>) => (await keysOf(tx, column, range, 1))[0];
  if (position.at === 'end') return { lower: await first({ descending: true }), upper: undefined };
  if (position.at === 'start') return { lower: undefined, upper: await first({}) };
  const { statusOrderKey: key } = position.task;
  if (position.at === 'before') return { lower: await first({ from: key - 1, descending: true }), upper: key };
  return { lower: key, upper: await first({ from: key + 1 }) };
}

async function keysOf(
  tx: Transaction,
  { workspaceId, statusId, givenUp }: Together,
  range: Omit<ColumnRange, 'limit'>,
  limit: number,
): Promise<readonly number[]> {
  const keys = await tx.tasks.placesTaken(workspaceId, statusId, { ...range, limit: limit + givenUp.size });
  return keys.filter((key) => !givenUp.has(key)).slice(0, limit);
}

async function makeRoom(
  tx: Transaction,
  context: PlacingContext,
  column: Together,
  lower: number | undefined,
  upper: number | undefined,
): Promise<PlacedTogether> {
  const { workspaceId, statusId, present, givenUp } = column;
  const around = {
    below: lower === undefined ? [] : await keysOf(tx, column, { from: lower, descending: true }, MAX_MOVED + 1),
    above: upper === undefined ? [] : await keysOf(tx, column, { from: upper }, MAX_MOVED + 1),
  };
  const at = { workspaceId, statusId, key: lower ?? (upper ?? 0) - 1 };
  const room = rebalance(around, present.length, MAX_MOVED);
  if (room === null) throw new ColumnCrowded(at);
  if (room.gap < roomyGap(MAX_MOVED) && room.moves.length === MAX_MOVED) await enqueueRespread(tx, context, at);
  if (room.moves.length === 0) return { keys: room.keys, moved: NONE };
  const to = new Map(room.moves.map((move) => [move.from, move.to]));
  const range = { from: room.moves[0]!.from, limit: room.moves.length + givenUp.size };
  const tasks = await tx.tasks.column(workspaceId, statusId, range);
  const moved = tasks.flatMap((task) => {
    const key = to.get(task.statusOrderKey);
    return key === undefined ? [] : [[task, key] as const];
  });
  return { keys: room.keys, moved: new Map(moved) };
}
