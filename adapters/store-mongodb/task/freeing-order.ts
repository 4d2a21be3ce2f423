import { KEY_LIMIT } from '../../../core/kernel/order-key.ts';
import type { Task } from '../../../core/model/task.ts';

/** Where no task stands, for the time between two writes of one transaction. */
const ASIDE = KEY_LIMIT + 1;

/**
 * Tasks in an order in which each finds its place in its status left by the others. Where they take each other's
 * places in a circle, one of them comes first with a place aside. O(tasks).
 *
 * @param before the same tasks as they stand now
 */
export function inFreeingOrder(tasks: readonly Task[], before: readonly (Task | null)[]): Task[] {
  const holders = new Map<string, number>();
  for (const [n, task] of before.entries()) if (task !== null) holders.set(placeOf(task), n);
  const ordered: Task[] = [];
  const done = new Set<number>();
  for (const first of tasks.keys()) {
    const path = new Set<number>();
    let n: number | undefined = first;
    for (; n !== undefined && !done.has(n) && !path.has(n); n = holders.get(placeOf(tasks[n]!))) path.add(n);
    const last = [...path].at(-1);
    if (n !== undefined && n !== last && path.has(n)) ordered.push({ ...before[n]!, statusOrderKey: ASIDE });
    for (const next of [...path].toReversed()) {
      ordered.push(tasks[next]!);
      done.add(next);
    }
  }
  return ordered;
}

function placeOf({ statusId, statusOrderKey }: Task): string {
  return `${statusId} ${statusOrderKey}`;
}
