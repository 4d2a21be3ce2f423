import type { BoardView } from '../../board/view.ts';
import type { ChecklistItemView } from '../../checklist/view.ts';
import type { CommentView } from '../../comment/view.ts';
import type { TaskLinkView } from '../../link/view.ts';
import type { MemberView } from '../../member/members.ts';
import type { PageView } from '../../page/view.ts';
import type { TaskSummary } from '../../task/view.ts';
import type { WorkspaceView } from '../../workspace/workspaces.ts';

/** A task of a snapshot: as in a list, with its links and its checklist. Its comments follow. */
export interface SnapshotTask extends TaskSummary {
  /** The links to other tasks, by type, then by creation. */
  readonly links: readonly TaskLinkView[];
  /** The checklist items, in order. */
  readonly checklist: readonly ChecklistItemView[];
}

/** A record of a snapshot, as its reader sees it. */
export type SnapshotRecord =
  | { readonly kind: 'workspace'; readonly record: WorkspaceView }
  | { readonly kind: 'member'; readonly record: MemberView }
  | { readonly kind: 'page'; readonly record: PageView }
  | { readonly kind: 'board'; readonly record: BoardView }
  | { readonly kind: 'task'; readonly record: SnapshotTask }
  | { readonly kind: 'comment'; readonly record: CommentView };

/** The first item of a snapshot. */
export interface SnapshotHead {
  /** Distinguishes it from records. */
  readonly kind: 'head';
  /** The cursor from which the changes after the snapshot follow. */
  readonly cursor: string;
}

/**
 * An item of a snapshot: the head, the workspace, active members, pages (parents before children), boards, then each
 * task followed by its comments.
 */
export type SnapshotItem = SnapshotHead | SnapshotRecord;
