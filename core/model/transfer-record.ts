import type { Board } from './content/board.ts';
import type { ChecklistItem } from './content/checklist-item.ts';
import type { Comment } from './content/comment.ts';
import type { Invitation } from './workspace/invitation.ts';
import type { Member } from './workspace/member.ts';
import type { Page } from './workspace/page.ts';
import type { Task } from './content/task.ts';
import type { User } from './user/user.ts';
import type { Workspace } from './workspace/workspace.ts';

/**
 * One record of an exported workspace. They come in this order: the workspace, users, members, pages
 * (parents before children), invitations, boards, then each task followed by the items of its checklist, in order, and its comments.
 */
export type TransferRecord =
  | { readonly kind: 'workspace'; readonly record: Workspace; readonly lastNum: number }
  | { readonly kind: 'user'; readonly record: TransferredUser }
  | { readonly kind: 'member'; readonly record: Member }
  | { readonly kind: 'page'; readonly record: Page }
  | { readonly kind: 'invitation'; readonly record: Invitation }
  | { readonly kind: 'board'; readonly record: Board }
  | { readonly kind: 'task'; readonly record: Task }
  | { readonly kind: 'checklistItem'; readonly record: ChecklistItem }
  | { readonly kind: 'comment'; readonly record: Comment };

/** The kind of a record of an exported workspace. */
export type TransferKind = TransferRecord['kind'];

/** The user of a member, without the user's rights in the service. */
export type TransferredUser = Omit<User, 'administrator' | 'disabled'>;

/** The number of records of each kind. */
export type TransferCount = Readonly<Record<TransferKind, number>>;

export function noRecords(): { -readonly [K in TransferKind]: number } {
  return { workspace: 0, user: 0, member: 0, page: 0, invitation: 0, board: 0, task: 0, checklistItem: 0, comment: 0 };
}
