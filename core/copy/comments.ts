import { levelOnTask } from '../access/viewer.ts';
import { RECORDS_PER_STEP } from '../jobs/step.ts';
import { VIEW } from '../model/access/level.ts';
import type { Comment } from '../model/content/comment.ts';
import type { CopiedUpTo } from '../model/job.ts';
import { type CopyState, idOfCopy } from './copy-state.ts';

/** Copies the next 50 comments of a task, as long as it is in sight. */
export async function copyOfComments(
  state: CopyState,
  at: CopiedUpTo,
  after: NonNullable<CopiedUpTo['comment']>,
): Promise<CopiedUpTo> {
  const { tx, job, viewer } = state;
  const { workspaceId } = job;
  const source = await tx.tasks.get(workspaceId, at.taskId);
  if (source === null || levelOnTask(viewer, source) < VIEW) return { ...at, comment: null };
  const part = { after: after.id === '' ? null : after, limit: RECORDS_PER_STEP };
  const comments = await tx.comments.list('ofTask', { workspaceId, taskId: at.taskId }, part);
  await copyComments(state, comments);
  const task = await tx.tasks.get(workspaceId, idOfCopy(job, at.taskId));
  const count = comments.length;
  if (task !== null && count > 0) await tx.tasks.replace({ ...task, commentCount: task.commentCount + count });
  if (count < RECORDS_PER_STEP || task === null) return { ...at, comment: null };
  const { createdAt, id } = comments.at(-1)!;
  return { ...at, comment: { createdAt, id } };
}

export async function copyComments({ tx, ports, job }: CopyState, comments: readonly Comment[]): Promise<void> {
  for (const comment of comments) {
    await tx.comments.insert({
      ...comment,
      // In order, also if several were written in one millisecond.
      id: ports.ids.next(),
      taskId: idOfCopy(job, comment.taskId),
      externalId: null,
      version: 1,
    });
  }
}
