import type { Comment } from '../model/comment.ts';

export type CommentView = Omit<Comment, 'workspaceId'>;

export function commentView({ workspaceId: _, ...comment }: Comment): CommentView {
  return comment;
}
