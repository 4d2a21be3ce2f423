import type { MemberName } from '../names/names.ts';
import { metadataOf, type WithMetadata } from '../model/metadata.ts';
import type { Comment } from '../model/content/comment.ts';

/** The names of the ids in a comment. */
export interface CommentNames {
  /** The author. */
  readonly author?: MemberName;
}

/** A comment, as a member reads it. */
export interface CommentView extends Omit<WithMetadata<Comment>, 'workspaceId'> {
  /** Present if requested with `expand`. */
  readonly expanded?: CommentNames;
}

export function commentView({ workspaceId: _, ...comment }: Comment): CommentView {
  return { ...comment, metadata: metadataOf(comment) };
}
