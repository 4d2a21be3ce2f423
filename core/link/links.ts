import type { WorkspaceAddress } from '../model/address.ts';
import { levelOnTask } from '../access/viewer.ts';
import { conflict, EspalierError, invalid, notFound, unusable } from '../kernel/errors.ts';
import { timestamp } from '../kernel/record.ts';
import { VIEW } from '../model/access/level.ts';
import { ACYCLIC, type LinkType, linkedAs, MAX_LINKS, oppositeOf } from '../model/content/task-links.ts';
import type { Task } from '../model/content/task.ts';
import type { Context } from '../ports/context.ts';
import type { Transaction } from '../ports/store.ts';
import { taskToEdit } from '../task/read.ts';
import { namedInTask, writtenTaskView, type TaskView } from '../task/view.ts';
import { write } from '../write/transaction.ts';
import { withNamedRecords } from '../write/idempotency/visible-answer.ts';
import { requireNoCycle } from './cycle.ts';
import { connectTasks, releaseEnd, storedEnd, unlinked } from './end.ts';

/** What `tasks.unlinkParent` takes: the task to unlink from its parent. */
export interface TaskLinkAddress extends WorkspaceAddress {
  /** The task to link from. */
  readonly fromTaskId: string;
}

/** What `tasks.link` and `tasks.unlink` take: two tasks, and the type of the link. */
export interface LinkTask extends TaskLinkAddress {
  /**
   * The relation to the other task: it is the `parent` of this task, or this task `blocks`, `relates` to or
   * `duplicates` it.
   */
  readonly type: LinkType;
  /** The other task. */
  readonly taskId: string;
}

/** Does nothing if the link exists. @throws `has-parent`, `limit-reached`, `link-cycle`, `unusable-reference` */
export function linkTask(context: Context, input: LinkTask): Promise<TaskView> {
  const { workspaceId, fromTaskId, type, taskId } = input;
  if (fromTaskId === taskId) throw invalid('/taskId', 'is the task itself');
  return write(withNamedRecords(context, namedInTask), async (tx) => {
    const { viewer, task } = await taskToEdit(tx, context, { workspaceId, taskId: fromTaskId });
    const other = await tx.tasks.get(task.workspaceId, taskId);
    if (other === null || levelOnTask(viewer, other) < VIEW) throw unusable('taskId');
    if (linkedAs(task, type).includes(other.id)) return writtenTaskView(tx, viewer, task);
    if (type === 'parent' && linkedAs(task, type).length > 0) {
      throw conflict('has-parent', 'The task already has a parent: unlink it first.');
    }
    requireRoom(task, other, type);
    if (ACYCLIC.includes(type)) await requireNoCycle(tx, task, type, other);
    return writtenTaskView(tx, viewer, await connectTasks(tx, task, type, other, timestamp(context)));
  });
}

function requireRoom(from: Task, to: Task, type: LinkType): void {
  const most = Math.max(linkedAs(from, type).length, linkedAs(to, oppositeOf(type)).length);
  if (most < MAX_LINKS) return;
  throw conflict('limit-reached', `A task has at most ${MAX_LINKS} links of a kind: remove some first.`);
}

/** @throws `not-found` if the link does not exist, or the other task is hidden */
export function unlinkTask(context: Context, { workspaceId, fromTaskId, type, taskId }: LinkTask): Promise<void> {
  return write(context, async (tx) => {
    const { viewer, task } = await taskToEdit(tx, context, { workspaceId, taskId: fromTaskId });
    const other = await tx.tasks.get(task.workspaceId, taskId);
    if (other === null || levelOnTask(viewer, other) < VIEW || !linkedAs(task, type).includes(other.id))
      throw notFound();
    await disconnect(tx, task, type, other.id, timestamp(context));
  });
}

/** Removes the link to the parent. The caller need not see the parent. @throws `not-found` if there is none */
export function unlinkParent(context: Context, { workspaceId, fromTaskId }: TaskLinkAddress): Promise<void> {
  return write(context, async (tx) => {
    const { task } = await taskToEdit(tx, context, { workspaceId, taskId: fromTaskId });
    const [parentId] = linkedAs(task, 'parent');
    if (parentId === undefined) throw new EspalierError('not-found', 'The task has no parent.');
    await disconnect(tx, task, 'parent', parentId, timestamp(context));
  });
}

async function disconnect(tx: Transaction, task: Task, type: LinkType, otherId: string, now: string): Promise<void> {
  await tx.tasks.replace(unlinked(task, type, otherId, now));
  const other = await storedEnd(tx, task.workspaceId, otherId);
  if (other !== null) await releaseEnd(tx, other, oppositeOf(type), task.id, now);
}
