import type { Status } from '../model/board.ts';
import { GAP, KEY_LIMIT, keyAfter, keyBefore, keyBetween } from '../kernel/order-key.ts';
import { changed } from '../kernel/record.ts';
import type { Transaction } from '../ports/store.ts';
import type { Task } from '../model/task.ts';

/** Where in a status a task goes. */
export type Position =
  | { readonly at: 'end' }
  | { readonly at: 'start' }
  | { readonly at: 'key'; readonly key: number }
  | { readonly at: 'before' | 'after'; readonly task: Task };

/** A task to be placed: a new one, or one that stands somewhere. */
type Placed = Pick<Task, 'id' | 'workspaceId'> | Task;

interface Column {
  readonly tx: Transaction;
  readonly workspaceId: string;
  readonly statusId: string;
  /** The task that is being placed: where it stands now counts as free. */
  readonly placing: Placed;
  readonly at: string;
}

/**
 * The order key for a task at a position. Other tasks get new keys only where there is no room, and
 * then only as many as it takes. O(1) index reads otherwise.
 */
export async function placeInStatus(
  tx: Transaction,
  task: Placed,
  statusId: string,
  position: Position,
  at: string,
): Promise<number> {
  const column: Column = { tx, workspaceId: task.workspaceId, statusId, placing: task, at };
  if (position.at === 'key') return placeAtKey(column, position.key);
  if (position.at === 'end') {
    const last = await neighbour(column, undefined, true);
    return keyAfter(last) ?? makeRoom(column, last, undefined);
  }
  if (position.at === 'start') {
    const first = await neighbour(column, undefined, false);
    return (first === undefined ? keyAfter() : keyBefore(first)) ?? makeRoom(column, undefined, first);
  }
  const key = position.task.statusOrderKey;
  const other = await neighbour(column, position.at === 'before' ? key - 1 : key + 1, position.at === 'before');
  const [lower, upper] = position.at === 'before' ? [other, key] : [key, other];
  return keyBetween(lower, upper) ?? makeRoom(column, lower, upper);
}

/** The key of the first other task from a key on. */
async function neighbour(column: Column, from: number | undefined, descending: boolean): Promise<number | undefined> {
  const { tx, workspaceId, statusId } = column;
  const own = standingIn(column)?.statusOrderKey;
  const range = { ...(from === undefined ? {} : { from }), descending, limit: own === undefined ? 1 : 2 };
  const keys = await tx.tasks.placesTaken(workspaceId, statusId, range);
  return keys.find((key) => key !== own);
}

const RUN = 64;

/** Puts a task at exactly this key; those in its way move up by one as far as the next gap. */
async function placeAtKey(column: Column, key: number): Promise<number> {
  const run: Task[] = [];
  for (let free = false; !free;) {
    const from = key + run.length;
    const tasks = await column.tx.tasks.column(column.workspaceId, column.statusId, { from, limit: RUN });
    free = true;
    for (const task of tasks) {
      free = task.statusOrderKey !== key + run.length || task.id === column.placing.id;
      if (free) break;
      run.push(task);
    }
    if (tasks.length < RUN) break;
  }
  if (key + run.length > KEY_LIMIT) return makeRoom(column, await neighbour(column, key - 1, true), key);
  await rekey(
    column,
    run,
    run.map((task) => task.statusOrderKey + 1),
  );
  return key;
}

/** The least distance that spreading must reach, so that the next insertions find room. */
const ROOM = 16;

/**
 * Spreads tasks around a place until there is room in it, taking in more and more of the column, up to
 * all of it. O(log n) amortised. Based on the local relabelling of order-maintenance lists (Dietz and
 * Sleator, 1987).
 */
async function makeRoom(column: Column, lower: number | undefined, upper: number | undefined): Promise<number> {
  for (let size = 32; ; size *= 4) {
    const below = lower === undefined ? [] : await others(column, lower, true, size);
    const above = upper === undefined ? [] : await others(column, upper, false, size);
    // The outermost task on a side stays where it is, unless it is the end of the column.
    const fenceBelow = below.length === size ? below.pop()!.statusOrderKey : undefined;
    const fenceAbove = above.length === size ? above.pop()!.statusOrderKey : undefined;
    const tasks = [...below.toReversed(), ...above];
    const slots = tasks.length + 1;
    const low = fenceBelow ?? Math.max(-KEY_LIMIT - 1, (tasks[0]?.statusOrderKey ?? 0) - GAP * slots);
    const high = fenceAbove ?? Math.min(KEY_LIMIT + 1, (tasks.at(-1)?.statusOrderKey ?? 0) + GAP * slots);
    const gap = Math.floor((high - low) / (slots + 1));
    if (gap < ROOM && (fenceBelow !== undefined || fenceAbove !== undefined)) continue;
    const keys = Array.from({ length: slots }, (_, i) => low + gap * (i + 1));
    const [key] = keys.splice(below.length, 1);
    await rekey(column, tasks, keys);
    return key!;
  }
}

async function others(column: Column, from: number, descending: boolean, size: number): Promise<Task[]> {
  const range = { from, descending, limit: size + 1 };
  const tasks = await column.tx.tasks.column(column.workspaceId, column.statusId, range);
  return tasks.filter((task) => task.id !== column.placing.id).slice(0, size);
}

/** Gives tasks, in order, new keys in the same order. No key is ever held by two of them meanwhile. */
async function rekey(column: Column, tasks: readonly Task[], keys: readonly number[]): Promise<void> {
  await parked(column, keys);
  const moves = tasks.map((task, i) => ({ task, key: keys[i]! }));
  const up = moves.filter(({ task, key }) => key > task.statusOrderKey).toReversed();
  const down = moves.filter(({ task, key }) => key < task.statusOrderKey);
  for (const { task, key } of [...up, ...down]) {
    await column.tx.tasks.replace(changed(task, { statusOrderKey: key }, column.at));
  }
}

/** Takes the task that is being placed out of the way, if it holds one of these keys: the caller saves it anew. */
async function parked(column: Column, keys: readonly number[]): Promise<void> {
  const task = standingIn(column);
  if (task === undefined || !keys.includes(task.statusOrderKey)) return;
  await column.tx.tasks.replace({ ...task, statusOrderKey: KEY_LIMIT + 1 });
}

/** The task that is being placed, if it stands in the column already. */
function standingIn({ placing, statusId }: Column): Task | undefined {
  return 'statusId' in placing && placing.statusId === statusId ? placing : undefined;
}

/** Moving into a `done` status completes a task, moving out of one reopens it. */
export function completeAfterMove(complete: boolean, from: Pick<Status, 'done'>, to: Pick<Status, 'done'>): boolean {
  return to.done || (complete && !from.done);
}
