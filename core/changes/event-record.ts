import { boardView } from '../board/view.ts';
import { cachedVisibleCounts } from '../board/visible-counts.ts';
import { commentView } from '../comment/view.ts';
import type { Viewer } from '../access/viewer.ts';
import { memberViews } from '../member/members.ts';
import type { Board } from '../model/content/board.ts';
import type { Comment } from '../model/content/comment.ts';
import type { EventKind } from '../model/log/change-event.ts';
import type { Member } from '../model/workspace/member.ts';
import type { Page } from '../model/workspace/page.ts';
import type { Task } from '../model/content/task.ts';
import type { Workspace } from '../model/workspace/workspace.ts';
import { pageView } from '../page/view.ts';
import type { ReadTransaction } from '../ports/store.ts';
import { taskView } from '../task/view.ts';
import { workspaceView } from '../workspace/workspaces.ts';

interface RecordOf {
  readonly task: Task;
  readonly comment: Comment;
  readonly board: Board;
  readonly page: Page;
  readonly member: Member;
  readonly workspace: Workspace;
}

/** The view of a record of each kind, the same as when it is read by itself. */
const VIEWS: {
  readonly [K in EventKind]: (tx: ReadTransaction, viewer: Viewer, record: RecordOf[K]) => Promise<object>;
} = {
  task: taskView,
  comment: async (_, __, comment) => commentView(comment),
  board: async (tx, viewer, board) => boardView(board, await cachedVisibleCounts(tx, viewer, board.id)),
  page: (_, viewer, page) => pageView(viewer, page),
  member: async (tx, viewer, member) => (await memberViews(tx, [member], viewer.yielder))[0]!,
  workspace: async (_, viewer, workspace) => workspaceView(workspace, viewer.member),
};

/** The view of an event's record, which the viewer may see. */
export function eventRecord(tx: ReadTransaction, viewer: Viewer, kind: EventKind, record: object): Promise<object> {
  return VIEWS[kind](tx, viewer, record as never);
}

/**
 * The most parts of records in an answer about several changes: comments, items of checklists, statuses and tags, and
 * long descriptions. A single task may have more comments. The number is small, as each of many streams may hold an
 * answer.
 */
export const MAX_PARTS = 250;
/** The most parts of tasks whose pages become visible at once: their events cannot be spread over several answers. */
export const MAX_PARTS_OF_PAGES = 2_000;
/** The number of characters of a description that count as one part: about the longest comment. */
const PART = 10_000;

/** How many parts come with the record of an event. */
export function partCount(kind: EventKind | undefined, record: object | null): number {
  if (record === null) return 0;
  if (kind === 'task') {
    const { commentCount, checklistTotal, description } = record as Task;
    return commentCount + checklistTotal + Math.floor(description.length / PART);
  }
  return kind === 'board' ? (record as Board).statuses.length + (record as Board).tags.length : 0;
}
