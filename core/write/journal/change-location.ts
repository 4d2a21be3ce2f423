import type { ChangeKind, NewChange } from '../../model/log/change.ts';
import type { Comment } from '../../model/content/comment.ts';
import type { Page } from '../../model/workspace/page.ts';
import type { Structure } from '../../model/workspace/structure.ts';
import type { Task } from '../../model/content/task.ts';
import type { JournaledRecord } from './changed-fields.ts';
import type { RemovedPages } from './removed-pages.ts';

/** A record before and after a transaction. Null: it did not exist, or no longer exists. */
export interface RecordChange {
  readonly kind: ChangeKind;
  readonly before: JournaledRecord | null;
  readonly after: JournaledRecord | null;
}

/** The page tree as a transaction leaves it. */
interface ChangedTree {
  /** Null: the workspace does not exist. Undefined: it was not read. */
  readonly structure: Structure | null | undefined;
  readonly addedPages: ReadonlySet<string>;
  readonly removedPages: RemovedPages;
}

type ChangeLocation = Pick<NewChange, 'pageId' | 'fromPageId' | 'boardId' | 'fromBoardId' | 'taskId'>;

const NO_LOCATION: ChangeLocation = { pageId: null, fromPageId: null, boardId: null, fromBoardId: null, taskId: null };

/**
 * Where in the tree a record was changed. Null for an unreachable record.
 *
 * @param onTask the task of a comment
 */
export function locationOf(
  tree: ChangedTree,
  { kind, before, after }: RecordChange,
  onTask: Task | null,
): ChangeLocation | null {
  if (kind === 'task') return locationOfTask(tree, before as Task | null, after as Task | null);
  if (kind === 'workspace') return NO_LOCATION;
  if (tree.structure === null) return null;
  const record = (after ?? before)!;
  if (kind === 'page') {
    const { id, type, boardId, parentId } = record as Page;
    const fromPageId = after === null ? parentId : null;
    return { ...NO_LOCATION, pageId: id, fromPageId, boardId: type === 'board' ? id : boardId };
  }
  if (kind === 'board')
    return reaches(tree, record.id) ? { ...NO_LOCATION, pageId: record.id, boardId: record.id } : null;
  if (kind !== 'comment') return NO_LOCATION;
  const where = onTask === null ? null : locationOfTask(tree, onTask, onTask);
  return where === null ? null : { ...where, fromPageId: null, taskId: (record as Comment).taskId };
}

function locationOfTask(tree: ChangedTree, before: Task | null, after: Task | null): ChangeLocation | null {
  const { structure, addedPages, removedPages } = tree;
  const { id, boardId } = (after ?? before)!;
  const fromBoardId = before === null || before.boardId === boardId ? null : before.boardId;
  if (!reaches(tree, boardId) && (fromBoardId === null || !reaches(tree, fromBoardId))) return null;
  const hasPage = structure?.page(id) !== undefined;
  const hadPage = removedPages.has(id) || (hasPage && !addedPages.has(id));
  const from = before === null ? null : hadPage ? id : before.boardId;
  const to = after === null ? from : hasPage ? id : boardId;
  return { pageId: to, fromPageId: from === to ? null : from, boardId, fromBoardId, taskId: null };
}

/** Whether the page is there, or was until this transaction. */
function reaches({ structure, removedPages }: ChangedTree, pageId: string): boolean {
  return removedPages.has(pageId) || structure?.page(pageId) !== undefined;
}
