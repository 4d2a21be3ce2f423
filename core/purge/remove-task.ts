import { removeCommentsOf } from '../comment/of-task.ts';
import type { Task } from '../model/task.ts';
import type { TaskQuery } from '../model/task-query.ts';
import type { CallEffects } from '../ports/context.ts';
import type { ReadTransaction, Transaction } from '../ports/store.ts';

/** The most comments removed with their task in one transaction. More are left to a job. */
const COMMENTS_AT_ONCE = 50;

/** Removes a task with its comments; comments left to a job are unreachable. @returns the number of records removed */
export async function removeTask(
  tx: Transaction,
  task: Task,
  context?: { readonly effects?: Pick<CallEffects, 'jobs'> },
): Promise<number> {
  const { id, workspaceId, commentCount } = task;
  await tx.tasks.remove(task);
  if (commentCount === 0) return 1;
  if (await removeCommentsOf(tx, workspaceId, id, COMMENTS_AT_ONCE)) {
    // The id of the job is that of the task, which is removed only once.
    await tx.jobs.insert({ kind: 'purge', id, workspaceId, boards: [], tasks: [id], notBefore: null });
    if (context?.effects !== undefined) context.effects.jobs = true;
  }
  return 1 + Math.min(commentCount, COMMENTS_AT_ONCE);
}

/** All tasks of a board by running number, whoever may see them: for internal use. */
export function tasksOfBoard(
  tx: Pick<ReadTransaction, 'tasks'>,
  workspaceId: string,
  boardId: string,
  limit: number,
): Promise<readonly Task[]> {
  return firstTasks(tx, { workspaceId, filters: [{ field: 'boardId', in: [boardId] }] }, limit);
}

/** Like {@link tasksOfBoard}, for a whole workspace. */
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
