import type { Comment } from './comment.ts';

export type CommentView = Omit<Comment, 'workspaceId'>;

export function commentView({ workspaceId: _, ...comment }: Comment): CommentView {
  return comment;
}
