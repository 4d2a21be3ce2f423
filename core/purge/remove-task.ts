import { removeContentsOf } from './contents.ts';
import type { Task } from '../model/content/task.ts';
import type { CallEffects } from '../ports/context.ts';
import type { Transaction } from '../ports/store.ts';

/** The most comments, items and entries of histories, of one task and of all, removed with it in one transaction. */
const CONTENTS_OF_ONE = 50;
const CONTENTS_OF_ALL = 500;

/** The number of those that a transaction has removed so far. */
const contentsRemoved = new WeakMap<Transaction, number>();

/** Removes a task with its comments, checklist and history; what is left to a job is unreachable. @returns the number of records removed */
export async function removeTask(
  tx: Transaction,
  task: Task,
  context?: { readonly effects?: Pick<CallEffects, 'jobs'> },
): Promise<number> {
  const { id, workspaceId } = task;
  await tx.tasks.remove(task);
  const before = contentsRemoved.get(tx) ?? 0;
  const { removed, more } = await removeContentsOf(
    tx,
    workspaceId,
    id,
    Math.min(CONTENTS_OF_ONE, CONTENTS_OF_ALL - before),
  );
  contentsRemoved.set(tx, before + removed);
  if (more) {
    // The id of the job is that of the task, which is removed only once.
    await tx.jobs.insert({ kind: 'purge', id, workspaceId, boards: [], tasks: [id], notBefore: null });
    if (context?.effects !== undefined) context.effects.jobs = true;
  }
  return 1 + removed;
}
