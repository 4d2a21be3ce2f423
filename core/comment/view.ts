import type { MemberName } from '../names/names.ts';
import type { Comment } from '../model/comment.ts';

/** What the ids in a comment stand for. */
export interface CommentNames {
  /** The member who wrote it. */
  readonly author?: MemberName;
}

export interface CommentView extends Omit<Comment, 'workspaceId'> {
  /** Where it was asked for. */
  readonly expanded?: CommentNames;
}

export function commentView({ workspaceId: _, ...comment }: Comment): CommentView {
  return comment;
}
