import type { Status } from '../../model/content/board.ts';
import type { Task } from '../../model/content/task.ts';
import { KEY_LIMIT, keyForSlot } from '../../kernel/order-key.ts';
import { timestamp } from '../../kernel/record.ts';
import type { Transaction } from '../../ports/store.ts';
import { changedTask } from '../board-edits.ts';
import { adjacent, BoardColumn, FIRST_KEYS, type Placed } from './column.ts';
import { ColumnCrowded, type PlacingContext, enqueueRespread } from './crowded.ts';
import type { Position } from './position.ts';
import { type PlacingPlan, planForOne } from './placing-plan.ts';
import { type KeyMove, MAX_MOVED, rebalance, roomyGap } from '../../kernel/rebalance.ts';

/** The result of placing a task in a column. */
export interface TaskPlacement {
  readonly key: number;
  /** Other tasks with new keys, which make room. Save them together with the task: one may take its old key. */
  readonly moved: readonly Task[];
}

/**
 * The sort key for a task at a position. A task that stands beside the named one, or at that end, already keeps its key.
 * Other tasks get new keys only if there is no room, at most `MAX_MOVED` of them. O(1) index reads if there is room.
 *
 * @throws {@link ColumnCrowded} if moving that many makes no room
 */
export async function placeInStatus(
  tx: Transaction,
  context: PlacingContext,
  task: Placed,
  statusId: string,
  position: Position,
  plan: PlacingPlan = planForOne(),
): Promise<TaskPlacement> {
  const place: ColumnPlacing = { tx, context, column: new BoardColumn(tx, task, statusId), plan };
  const { column } = place;
  if (position.at === 'key') return atKey(place, position.key);
  if (position.at === 'end') return between(place, await column.last(), undefined, 'first');
  if (position.at === 'start') return between(place, undefined, await column.first(), 'last');
  const { statusOrderKey: key } = position.task;
  if (position.at === 'before') return between(place, await column.below(key), key, 'first');
  return between(place, key, await column.above(key), 'last');
}

interface ColumnPlacing {
  readonly tx: Transaction;
  readonly context: PlacingContext;
  readonly column: BoardColumn;
  readonly plan: PlacingPlan;
}

/** @param slot which of the slots, for this task and those that follow it, the task takes */
function between(
  place: ColumnPlacing,
  lower: number | undefined,
  upper: number | undefined,
  slot: 'first' | 'last',
): TaskPlacement | Promise<TaskPlacement> {
  const { own } = place.column;
  if (own !== undefined && own > (lower ?? -Infinity) && own < (upper ?? Infinity)) return { key: own, moved: [] };
  const key = keyForSlot(lower, upper, place.plan.following + 1, slot);
  return key === null ? makeRoom(place, lower, upper, slot) : { key, moved: [] };
}

/**
 * Places a task at exactly this key; a task that has the key, and those adjacent above it, move up to the next gap. No
 * run of adjacent keys gets longer than `MAX_MOVED`: if it would, the task gets the nearest key that keeps the order.
 */
async function atKey(place: ColumnPlacing, key: number): Promise<TaskPlacement> {
  const { column, plan } = place;
  const own = key + plan.following;
  // Usually nothing has to move.
  if (plan.following === 0 && key <= KEY_LIMIT && (await column.hasRoomAt(key))) return { key, moved: [] };
  const near = await column.upFrom(key - 1, FIRST_KEYS);
  const followsAnother = near[0] === key - 1;
  const above = followsAnother ? near.slice(1) : near;
  const { moves, next, run } = await pushedUp(column, key, own, above, followsAnother ? FIRST_KEYS - 1 : FIRST_KEYS);
  const end = own + moves.length;
  const fits = end <= KEY_LIMIT && moves.length <= plan.budget.left && end - key + 1 + run <= MAX_MOVED;
  const runBelow = fits && followsAnother ? await column.run(key, -1) : 0;
  if (fits && end - key + 1 + run + runBelow <= MAX_MOVED) return moving(place, own, moves);
  const lower = (await column.below(key)) ?? -Infinity;
  const upper = moves[0]?.from ?? next ?? Infinity;
  for (const nearest of plan.following > 0 ? [] : [key, key + 1, key - 1, key - 2]) {
    if (nearest <= lower || nearest >= upper || Math.abs(nearest) > KEY_LIMIT) continue;
    if (1 + (await column.run(nearest, 1)) + (await column.run(nearest, -1)) <= MAX_MOVED) {
      return { key: nearest, moved: [] };
    }
  }
  return between(place, finite(lower), finite(upper), 'first');
}

interface Push {
  readonly moves: readonly KeyMove[];
  /** The first key that does not move, if it was read. */
  readonly next: number | undefined;
  /** The number of keys that do not move but are adjacent to the moved ones. */
  readonly run: number;
}

/**
 * The moves that free the keys from `key` to `own`.
 *
 * @param near the keys from `key` on, at most `limit`
 */
async function pushedUp(
  column: BoardColumn,
  key: number,
  own: number,
  near: readonly number[],
  limit: number,
): Promise<Push> {
  const few = pushed(near, own, limit);
  if (few !== null) return few;
  const most = MAX_MOVED + 1;
  const many = pushed(await column.upFrom(key, most), own, most);
  return many ?? { moves: [], next: near[0], run: most };
}

/** Null if more keys than `limit` would have to be read. */
function pushed(keys: readonly number[], own: number, limit: number): Push | null {
  const moves: KeyMove[] = [];
  for (const from of keys) {
    const to = own + moves.length + 1;
    if (from >= to) break;
    moves.push({ from, to });
  }
  const stay = keys.slice(moves.length);
  const run = adjacent(stay, own + moves.length, 1);
  return moves.length + run < limit ? { moves, next: stay[0], run } : null;
}

function finite(key: number): number | undefined {
  return Number.isFinite(key) ? key : undefined;
}

/** Tasks next to a place that are looked at first: mostly a few of them make room. A power of 2, as `rebalance` doubles. */
const FIRST_MOVED = 16;

async function makeRoom(
  place: ColumnPlacing,
  lower: number | undefined,
  upper: number | undefined,
  slot: 'first' | 'last',
): Promise<TaskPlacement> {
  const { tx, context, column, plan } = place;
  const roomAmong = async (most: number) => {
    const around = {
      below: lower === undefined ? [] : await column.downFrom(lower, most + 1),
      above: upper === undefined ? [] : await column.upFrom(upper, most + 1),
    };
    return rebalance(around, plan.following + 1, Math.min(most, plan.budget.left));
  };
  const near = await roomAmong(FIRST_MOVED);
  const isRoomy = near !== null && near.gap >= roomyGap(near.moves.length);
  const room = isRoomy ? near : await roomAmong(MAX_MOVED);
  const at = { workspaceId: column.workspaceId, statusId: column.statusId, key: lower ?? (upper ?? 0) - 1 };
  if (room === null) throw new ColumnCrowded(at);
  if (room.gap < roomyGap(MAX_MOVED) && room.moves.length === MAX_MOVED) await enqueueRespread(tx, context, at);
  return moving(place, slot === 'first' ? room.keys[0]! : room.keys.at(-1)!, room.moves);
}

/** @param moves of neighbouring tasks */
async function moving(
  { column, context, plan }: ColumnPlacing,
  key: number,
  moves: readonly KeyMove[],
): Promise<TaskPlacement> {
  if (moves.length === 0) return { key, moved: [] };
  plan.budget.left -= moves.length;
  const to = new Map(moves.map((move) => [move.from, move.to]));
  const now = timestamp(context);
  const tasks = await column.tasks(moves[0]!.from, moves.length);
  return {
    key,
    moved: tasks.flatMap((task) => {
      const statusOrderKey = to.get(task.statusOrderKey);
      return statusOrderKey === undefined ? [] : [changedTask(task, { statusOrderKey }, now)];
    }),
  };
}

/** Moving into a `done` status completes a task, moving out of one reopens it. */
export function completeAfterMove(complete: boolean, from: Pick<Status, 'done'>, to: Pick<Status, 'done'>): boolean {
  return to.done || (complete && !from.done);
}

/** The tasks that make room for another. */
export function idsOf(tasks: readonly Task[]): ReadonlySet<string> {
  return new Set(tasks.map(({ id }) => id));
}
