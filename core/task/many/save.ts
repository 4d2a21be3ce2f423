import type { Viewer } from '../../access/viewer.ts';
import { timestamp } from '../../kernel/record.ts';
import type { Page } from '../../model/workspace/page.ts';
import type { Task } from '../../model/content/task.ts';
import type { Context } from '../../ports/context.ts';
import type { Transaction } from '../../ports/store.ts';
import { changedTask } from '../board-edits.ts';
import { idsOf } from '../place/place.ts';
import { placeTogether } from '../place/place-together.ts';
import { pageAfter } from '../update.ts';
import type { Prepared } from './set.ts';
import { addToList, addToSet } from '../../kernel/group.ts';

/** Places the tasks, and saves those that change, with their pages. Writes at most 256 other tasks a status. */
export async function saveTogether(
  tx: Transaction,
  context: Context,
  viewer: Viewer,
  prepared: readonly Prepared[],
): Promise<void> {
  const { keys, others } = await placed(tx, context, prepared);
  const now = timestamp(context);
  const pages: Page[] = [];
  const inPlace: Task[] = [];
  const moved: Task[] = [];
  for (const { task, fields } of prepared) {
    const pause = viewer.yielder.step();
    if (pause !== null) await pause;
    const key = keys.get(task.id);
    const next = changedTask(task, key === undefined ? fields : { ...fields, statusOrderKey: key }, now);
    if (next === task) continue;
    (next.statusId === task.statusId && next.statusOrderKey === task.statusOrderKey ? inPlace : moved).push(next);
    const page = pageAfter(viewer, task, next);
    if (page !== null) pages.push(page);
  }
  for (const [task, statusOrderKey] of others) moved.push(changedTask(task, { statusOrderKey }, now));
  for (const task of inPlace) {
    await tx.tasks.replace(task);
    const pause = viewer.yielder.step();
    if (pause !== null) await pause;
  }
  if (moved.length > 0) await tx.tasks.replaceTogether(moved, idsOf([...others.keys()]));
  if (pages.length > 0) await tx.structures.change(viewer.structure, { pages });
}

interface Places {
  /** New keys of the tasks, by id. */
  readonly keys: Map<string, number>;
  /** New keys of others, which make room. */
  readonly others: Map<Task, number>;
}

/** The tasks of each status stand beside each other, in their order. */
async function placed(tx: Transaction, context: Context, prepared: readonly Prepared[]): Promise<Places> {
  const byStatus = new Map<string, Prepared[]>();
  const givenUp = new Map<string, Set<number>>();
  for (const one of prepared) {
    if (one.placing === null) continue;
    const { statusId, statusOrderKey } = one.task;
    addToList(byStatus, one.placing.statusId, one);
    addToSet(givenUp, statusId, statusOrderKey);
  }
  const known = new Set(prepared.map(({ task }) => task.id));
  const places: Places = { keys: new Map(), others: new Map() };
  for (const [statusId, ofStatus] of byStatus) {
    const { workspaceId } = ofStatus[0]!.task;
    const present = ofStatus.map(({ task }) => (task.statusId === statusId ? task.statusOrderKey : null));
    const column = { workspaceId, statusId, present, givenUp: givenUp.get(statusId) ?? NONE };
    const { keys, moved } = await placeTogether(tx, context, column, ofStatus[0]!.placing!.position);
    for (const [i, { task }] of ofStatus.entries()) places.keys.set(task.id, keys[i]!);
    for (const [task, key] of moved) {
      // One of the tasks that stays in its status, and makes room like any other.
      if (known.has(task.id)) places.keys.set(task.id, key);
      else places.others.set(task, key);
    }
  }
  return places;
}

const NONE: ReadonlySet<number> = new Set();
