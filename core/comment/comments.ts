import type { TaskAddress } from '../model/address.ts';
import { COMMENT, FULL, VIEW } from '../model/access/level.ts';
import { levelOnTask, requireLevel, type Viewer } from '../access/viewer.ts';
import type { Context } from '../ports/context.ts';
import { forbidden, found, notFound } from '../kernel/errors.ts';
import { requireFreeExternalId } from '../purge/release-external-id.ts';
import { newMetadata, recordChanges, withMetadata, type WritesMetadata } from '../model/metadata.ts';
import { changed, created, expectVersion, timestamp } from '../kernel/record.ts';
import type { Transaction } from '../ports/store.ts';
import { taskAt } from '../task/read.ts';
import type { Task } from '../model/content/task.ts';
import { withNamedRecords } from '../write/idempotency/visible-answer.ts';
import { write } from '../write/transaction.ts';
import type { Comment } from '../model/content/comment.ts';
import { commentView, type CommentView } from './view.ts';

/** What `comments.create` takes: a new comment. */
export interface CreateComment extends TaskAddress, WritesMetadata {
  /** 1-20,000 characters. */
  readonly content: string;
  /** The record's id in another system: 1-200 characters, unique in the workspace for its kind. */
  readonly externalId?: string | null;
}

/** Which comment on a task: what `comments.delete` takes. */
export interface CommentAddress extends TaskAddress {
  /** The comment. */
  readonly commentId: string;
}

/** What `comments.update` takes: a comment, and the fields to change. */
export interface UpdateComment extends CommentAddress, WritesMetadata {
  /** 1-20,000 characters. */
  readonly content?: string;
  /** The record's id in another system: 1-200 characters, unique in the workspace for its kind. */
  readonly externalId?: string | null;
}

/** @throws `external-id-taken` */
export function createComment(context: Context, input: CreateComment): Promise<CommentView> {
  const answer = withNamedRecords(context, ({ taskId }: CommentView) => ({
    workspaceId: input.workspaceId,
    records: [taskId],
  }));
  return write(answer, async (tx) => {
    const { viewer, task } = await taskAt(tx, context, input, COMMENT);
    const comment: Comment = {
      id: context.ids.next(),
      workspaceId: task.workspaceId,
      taskId: task.id,
      authorId: viewer.member.id,
      content: input.content,
      edited: false,
      externalId: input.externalId ?? null,
      ...newMetadata(input.metadata),
      ...created(timestamp(context)),
    };
    await requireFreeExternalId(tx, viewer.structure, 'comment', comment);
    await tx.comments.insert(comment);
    await count(tx, task, 1);
    return commentView(comment);
  });
}

/** Only for its author. @throws `external-id-taken` */
export function updateComment(context: Context, input: UpdateComment): Promise<CommentView> {
  return write(context, async (tx) => {
    const { viewer, comment } = await commentAt(tx, context, input, COMMENT);
    if (comment.authorId !== viewer.member.id) throw forbidden('Only its author may edit a comment.');
    expectVersion(context, comment);
    const shown = { ...commentView(comment), workspaceId: comment.workspaceId };
    const writable = ['content', 'externalId'] as const;
    const { changes, metadata, isEmpty } = recordChanges(comment, input, shown, writable, ['commentId']);
    if (isEmpty) return commentView(comment);
    const edited = comment.edited || changes.content !== undefined;
    const next = changed(withMetadata(comment, metadata), { ...changes, edited }, timestamp(context));
    await requireFreeExternalId(tx, viewer.structure, 'comment', next);
    await tx.comments.replace(next);
    return commentView(next);
  });
}

/** For its author, and for members with full access to the task. */
export function deleteComment(context: Context, input: CommentAddress): Promise<void> {
  return write(context, async (tx) => {
    const { viewer, task, comment } = await commentAt(tx, context, input, VIEW);
    if (comment.authorId !== viewer.member.id) requireLevel(levelOnTask(viewer, task), FULL);
    expectVersion(context, comment);
    await tx.comments.remove(comment);
    await count(tx, task, -1);
  });
}

async function commentAt(
  tx: Transaction,
  context: Context,
  input: CommentAddress,
  needs: 100 | 200,
): Promise<{ readonly viewer: Viewer; readonly task: Task; readonly comment: Comment }> {
  const { viewer, task } = await taskAt(tx, context, input, VIEW);
  const comment = found(await tx.comments.get(task.workspaceId, input.commentId));
  if (comment.taskId !== task.id) throw notFound();
  requireLevel(levelOnTask(viewer, task), needs);
  return { viewer, task, comment };
}

/** The comment count is derived: a change of it does not raise the task's version. */
async function count(tx: Transaction, task: Task, by: number): Promise<void> {
  await tx.tasks.replace({ ...task, commentCount: task.commentCount + by });
}
