import { tagsByKey } from '../board/tags.ts';
import type { Board } from '../model/content/board.ts';
import type { Comment } from '../model/content/comment.ts';
import type { Task } from '../model/content/task.ts';
import type { Page } from '../model/workspace/page.ts';
import type { Structure } from '../model/workspace/structure.ts';
import type { Report } from './finding.ts';

/** The members and pages that records of a workspace refer to. */
type Known = Pick<Structure, 'member' | 'page'>;

/** What holds for a board and its page, whatever else the workspace has. */
export function checkBoard(page: Page, board: Board, report: Report): void {
  const { id, statuses, tags } = board;
  if (board.name !== page.name) report('content', id, 'has another name than its board');
  if (tagsByKey(board).size < tags.length) report('content', id, 'has two tags with the same name');
  const sorted = statuses.every((status, i) => i === 0 || statuses[i - 1]!.orderKey <= status.orderKey);
  if (!sorted) report('order', id, 'has statuses out of order');
}

/** That a task agrees with its page, and was created by a member. */
export function checkTaskReferences(known: Known, task: Task, report: Report): void {
  const { id } = task;
  if (known.member(task.createdById) === undefined) report('reference', id, 'was created by an unknown member');
  const page = known.page(id);
  if (page === undefined) return;
  if (page.boardId !== task.boardId) report('content', id, 'is on another board than its page names');
  if (page.name !== task.title) report('content', id, 'has another name than its page');
}

export function checkAuthor(known: Known, { id, authorId }: Pick<Comment, 'id' | 'authorId'>, report: Report): void {
  if (known.member(authorId) === undefined) report('comment', id, 'was written by an unknown member');
}
