import type { TaskAddress } from '../model/address.ts';
import type { Viewer } from '../access/viewer.ts';
import { conflict, found } from '../kernel/errors.ts';
import { changesOf } from '../kernel/partial-update.ts';
import { changed, timestamp } from '../kernel/record.ts';
import { MAX_ITEMS, type ChecklistItem } from '../model/content/checklist-item.ts';
import type { Task } from '../model/content/task.ts';
import type { Context } from '../ports/context.ts';
import type { Transaction } from '../ports/store.ts';
import { assignmentNow } from '../task/assignment.ts';
import { requireAssignable } from '../task/references.ts';
import { taskToEdit } from '../task/read.ts';
import { withNamedRecords } from '../write/idempotency/visible-answer.ts';
import { write } from '../write/transaction.ts';
import { checklistOf, checklistCounts } from './of-task.ts';
import { hasItemPosition, placeItem, type ItemPosition } from './place.ts';
import { checklistItemView, type ChecklistItemView } from './view.ts';

/** What `checklists.create` takes: a new item, and its place in the list. */
export interface CreateChecklistItem extends TaskAddress, ItemPosition {
  /** 1-500 characters. */
  readonly text: string;
  /** Default false. */
  readonly done?: boolean;
  /** The assignee, a member with at least 100 on the task. Null: nobody. */
  readonly assigneeId?: string | null;
}

/** Which item of the checklist of a task: what `checklists.delete` takes. */
export interface ChecklistItemAddress extends TaskAddress {
  /** The item. */
  readonly itemId: string;
}

/** What `checklists.update` takes: an item, the fields to change, and its new place. */
export interface UpdateChecklistItem extends ChecklistItemAddress, ItemPosition {
  /** 1-500 characters. */
  readonly text?: string;
  /** Whether it is done. This does not change the completion of the task. */
  readonly done?: boolean;
  /** The assignee, a member with at least 100 on the task. Null: nobody. */
  readonly assigneeId?: string | null;
}

/** By default at the end. @throws `limit-reached`, `unusable-reference` */
export function createChecklistItem(context: Context, input: CreateChecklistItem): Promise<ChecklistItemView> {
  const { workspaceId, taskId } = input;
  return write(
    withNamedRecords(context, () => ({ workspaceId, records: [taskId] })),
    async (tx) => {
      const { viewer, task, items } = await checklistAt(tx, context, input);
      const assigneeId = await assignmentFor(tx, viewer, task, input.assigneeId ?? null);
      const { orderKey, moved } = placeItem(items, input);
      if (items.length >= MAX_ITEMS) {
        throw conflict('limit-reached', `A checklist has at most ${MAX_ITEMS} items: remove some first.`);
      }
      const item: ChecklistItem = {
        id: context.ids.next(),
        workspaceId: task.workspaceId,
        taskId: task.id,
        orderKey,
        text: input.text.trim(),
        done: input.done ?? false,
        assigneeId,
      };
      for (const other of moved) await tx.checklistItems.replace(other);
      await tx.checklistItems.insert(item);
      await saveCounts(tx, context, task, [...items, item]);
      return checklistItemView(viewer.structure, item);
    },
  );
}

/** @throws `unusable-reference` */
export function updateChecklistItem(context: Context, input: UpdateChecklistItem): Promise<ChecklistItemView> {
  return write(context, async (tx) => {
    const { viewer, task, items } = await checklistAt(tx, context, input);
    const item = found(items.find(({ id }) => id === input.itemId));
    const others = items.filter((other) => other !== item);
    const shown = checklistItemView(viewer.structure, item);
    const changes = changesOf(input, { ...shown, workspaceId: task.workspaceId, taskId: task.id }, FIELDS, ADDRESS);
    const assigned =
      changes.assigneeId === undefined ? {} : { assigneeId: await assignmentFor(tx, viewer, task, changes.assigneeId) };
    const { orderKey, moved } = hasItemPosition(input) ? placeAnew(items, others, item, input) : { ...item, moved: [] };
    const next: ChecklistItem = { ...item, ...changes, ...assigned, orderKey };
    if (Object.keys(changes).length === 0 && orderKey === item.orderKey) return shown;
    for (const other of moved) await tx.checklistItems.replace(other);
    await tx.checklistItems.replace(next);
    await saveCounts(tx, context, task, [...others, next]);
    return checklistItemView(viewer.structure, next);
  });
}

export function deleteChecklistItem(context: Context, input: ChecklistItemAddress): Promise<void> {
  return write(context, async (tx) => {
    const { task, items } = await checklistAt(tx, context, input);
    const item = found(items.find(({ id }) => id === input.itemId));
    await tx.checklistItems.remove(item);
    await saveCounts(
      tx,
      context,
      task,
      items.filter((other) => other !== item),
    );
  });
}

const FIELDS = ['text', 'done', 'assigneeId'] as const;
const ADDRESS = ['itemId', 'beforeItemId', 'afterItemId'] as const;

async function checklistAt(tx: Transaction, context: Context, address: TaskAddress) {
  const { viewer, task } = await taskToEdit(tx, context, address);
  return { viewer, task, items: await checklistOf(tx, task) };
}

async function assignmentFor(tx: Transaction, viewer: Viewer, task: Task, memberId: string | null) {
  if (memberId === null) return null;
  await requireAssignable(tx, viewer, task, [memberId], 'assigneeId');
  return assignmentNow(viewer.structure, memberId);
}

/** The present key if the item stands there already. */
function placeAnew(
  items: readonly ChecklistItem[],
  others: readonly ChecklistItem[],
  item: ChecklistItem,
  placing: ItemPosition,
) {
  const { orderKey, moved } = placeItem(others, placing);
  const stands = others.filter((other) => other.orderKey < orderKey).length === items.indexOf(item);
  return moved.length === 0 && stands ? { orderKey: item.orderKey, moved } : { orderKey, moved };
}

/** A change of the checklist raises the version of the task. */
async function saveCounts(
  tx: Transaction,
  context: Context,
  task: Task,
  items: readonly ChecklistItem[],
): Promise<void> {
  await tx.tasks.replace(changed(task, checklistCounts(items), timestamp(context)));
}
