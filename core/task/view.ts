import type { Viewer } from '../access/viewer.ts';
import { sees } from '../access/viewer.ts';
import { commentView, type CommentView } from '../comment/view.ts';
import type { ReadTransaction } from '../store.ts';
import type { SeenTask } from './query.ts';
import type { Task } from './task.ts';

/** A task in a list, as one member reads it. */
export interface TaskSummary extends SeenTask {
  /** It is seen through its own page only: nothing of its board is shown. */
  readonly boardHidden: boolean;
  /** Its page, which has the same id; null when it has none. */
  readonly pageId: string | null;
}

/** A task with its comments. */
export interface TaskView extends Omit<TaskSummary, 'commentCount'> {
  readonly comments: readonly CommentView[];
}

export function taskSummary(viewer: Viewer, task: SeenTask): TaskSummary {
  const boardHidden = task.boardId === null || !sees(viewer, task.boardId);
  return Object.assign(shownOf(viewer, task, boardHidden), { commentCount: task.commentCount });
}

export async function taskView(tx: ReadTransaction, viewer: Viewer, task: Task): Promise<TaskView> {
  const comments = task.commentCount === 0 ? [] : await tx.comments.ofTask(task.workspaceId, task.id);
  return Object.assign(shownOf(viewer, task, !sees(viewer, task.boardId)), { comments: comments.map(commentView) });
}

/** A new object that may be added to: spreading one of so many fields into another is slow. */
function shownOf(viewer: Viewer, task: SeenTask, boardHidden: boolean) {
  return {
    id: task.id,
    workspaceId: task.workspaceId,
    num: task.num,
    title: task.title,
    description: task.description,
    boardId: boardHidden ? null : task.boardId,
    boardHidden,
    statusId: boardHidden ? null : task.statusId,
    statusOrderKey: boardHidden ? null : task.statusOrderKey,
    priority: task.priority,
    complete: task.complete,
    createdById: task.createdById,
    dateStart: task.dateStart,
    dateEnd: task.dateEnd,
    externalId: task.externalId,
    tags: boardHidden ? [] : task.tags.slice(),
    assignees: task.assignees.slice(),
    pageId: viewer.structure.page(task.id) === undefined ? null : task.id,
    createdAt: task.createdAt,
    updatedAt: task.updatedAt,
    version: task.version,
  };
}
