import { removeCommentsOf } from '../comment/of-task.ts';
import type { Task } from '../model/task.ts';
import type { TaskQuery } from '../model/task-query.ts';
import type { CallEffects } from '../ports/context.ts';
import type { ReadTransaction, Transaction } from '../ports/store.ts';

/** Comments that are removed with their task. The rest of many is left to a job. */
const COMMENTS_AT_ONCE = 50;

/** Removes a task with its comments: nobody reaches those that are left for now. @returns the records it removes */
export async function removeTask(
  tx: Transaction,
  task: Task,
  context?: { readonly effects?: Pick<CallEffects, 'jobs'> },
): Promise<number> {
  const { id, workspaceId, commentCount } = task;
  await tx.tasks.remove(task);
  if (commentCount === 0) return 1;
  if (await removeCommentsOf(tx, workspaceId, id, COMMENTS_AT_ONCE)) {
    // The id of the task serves for the job: each is removed once.
    await tx.jobs.insert({ kind: 'purge', id, workspaceId, boards: [], tasks: [id], notBefore: null });
    if (context?.effects !== undefined) context.effects.jobs = true;
  }
  return 1 + Math.min(commentCount, COMMENTS_AT_ONCE);
}

/** Whoever may see them: for use inside the engine. By running number, which the index of a board gives in order. */
export function tasksOfBoard(
  tx: Pick<ReadTransaction, 'tasks'>,
  workspaceId: string,
  boardId: string,
  limit: number,
): Promise<readonly Task[]> {
  return firstTasks(tx, { workspaceId, filters: [{ field: 'boardId', in: [boardId] }] }, limit);
}

/** The same of a whole workspace. */
export function tasksOfWorkspace(
  tx: Pick<ReadTransaction, 'tasks'>,
  workspaceId: string,
  limit: number,
): Promise<readonly Task[]> {
  return firstTasks(tx, { workspaceId, filters: [] }, limit);
}

async function firstTasks(
  tx: Pick<ReadTransaction, 'tasks'>,
  wanted: Pick<TaskQuery, 'workspaceId' | 'filters'>,
  limit: number,
): Promise<readonly Task[]> {
  return (await tx.tasks.find({
    ...wanted,
    scope: null,
    sort: [
      { field: 'num', descending: false },
      { field: 'id', descending: false },
    ],
    after: null,
    limit,
  })) as readonly Task[];
}
