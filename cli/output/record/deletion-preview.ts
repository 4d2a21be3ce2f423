import { requireLevel } from '../../../core/access/viewer.ts';
import { DENIED, EDIT, FULL } from '../../../core/model/access/level.ts';
import type { PageView } from '../../../core/page/view.ts';
import type { TaskSummary } from '../../../core/task/view.ts';
import type { CommandCall } from '../../call.ts';
import { count } from '../table/count.ts';
import type { WorkspaceLookup } from '../../refs/workspace-lookup.ts';
import { option } from '../../option.ts';
import { safe } from '../../io/safe-text.ts';

/** An option of verbs that change many records. */
export const DRY_RUN = option('--dry-run', 'only show what would happen');

/** What a deletion would remove, as far as the caller may see it. */
export interface DeletionPreview {
  readonly pages: number;
  readonly boards: number;
  readonly tasks: number;
}

/**
 * The preview of the deletion of a page, see {@link previewDeletion}.
 *
 * @throws as the deletion would for the levels of the caller on these pages
 */
export async function previewPageDeletion(
  workspace: WorkspaceLookup,
  pageId: string,
  permanently: boolean,
): Promise<DeletionPreview> {
  const pages = await pagesUnder(workspace, pageId);
  const preview = await tollOf(workspace, pages);
  const page = pages.find(({ id }) => id === pageId);
  const isAlone = pages.length === 1 && (page?.type === 'task' || preview.tasks === 0);
  const isLeaf = isAlone && (page?.type === 'task' || page?.createdById === (await workspace.member('me')));
  requireLevels(pages, page, isLeaf && !permanently);
  return preview;
}

/**
 * The number of pages that would be deleted with tasks: their own, and all nested under these.
 *
 * @throws as the deletion for the levels of the caller on these pages
 */
export async function countPagesOf(workspace: WorkspaceLookup, tasks: readonly Pick<TaskSummary, 'pageId'>[]) {
  const gone = new Set<string>();
  for (const { pageId } of tasks) {
    if (pageId === null || gone.has(pageId)) continue;
    const pages = await pagesUnder(workspace, pageId);
    if (pages.length > 0) requireLevels(pages, pages[0], pages.length === 1);
    for (const { id } of pages) gone.add(id);
  }
  return gone.size;
}

/** @param first the one above the others */
function requireLevels(pages: readonly PageView[], first: PageView | undefined, isLeaf: boolean): void {
  requireLevel(first?.access ?? DENIED, isLeaf ? EDIT : FULL);
  for (const { access } of pages) requireLevel(access, EDIT);
}

/** @param pageId the page that would be deleted with all under it; null for the whole workspace */
export async function previewDeletion(workspace: WorkspaceLookup, pageId: string | null): Promise<DeletionPreview> {
  return tollOf(workspace, await pagesUnder(workspace, pageId));
}

/** A page with all pages under it, parents before children; for null, all pages. */
async function pagesUnder(workspace: WorkspaceLookup, pageId: string | null): Promise<readonly PageView[]> {
  const pages = await workspace.pages();
  if (pageId === null) return pages;
  const gone = new Set([pageId]);
  return pages.filter(({ id, parentId }) => {
    if (id !== pageId && (parentId === null || !gone.has(parentId))) return false;
    gone.add(id);
    return true;
  });
}

async function tollOf(workspace: WorkspaceLookup, pages: readonly PageView[]): Promise<DeletionPreview> {
  const onBoard = new Set<string>();
  let [boards, tasks] = [0, 0];
  for (const { id, type, parentId } of pages) {
    if (type === 'board' || (parentId !== null && onBoard.has(parentId))) onBoard.add(id);
    if (type === 'board') {
      boards++;
      tasks += (await workspace.boardView(id)).statuses.reduce((sum, { taskCount }) => sum + taskCount, 0);
    } else if (type === 'task' && !onBoard.has(id)) tasks++;
  }
  return { pages: pages.length, boards, tasks };
}

/** Prints what a deletion would remove. */
export function printPreview({ out }: CommandCall, what: string, preview: DeletionPreview): void {
  const { pages, boards, tasks } = preview;
  out.show(
    preview,
    () =>
      safe`Deleting ${what} would delete ${count(pages, 'page')}, ${count(boards, 'board')} and ${count(tasks, 'task')}.\n`,
  );
  out.note('Nothing was deleted.');
}
