import { requireLevel } from '../../../core/access/viewer.ts';
import { DENIED, EDIT, FULL } from '../../../core/model/access/level.ts';
import type { Call } from '../../call.ts';
import { count } from '../table/count.ts';
import type { WorkspaceLookup } from '../../refs/workspace-lookup.ts';
import { option } from '../../option.ts';
import { safe } from '../../io/safe-text.ts';

/** An option of verbs that change many records. */
export const DRY_RUN = option('--dry-run', 'only tell what would happen');

/** What a deletion would remove, as far as the caller may see it. */
export interface DeletionPreview {
  readonly pages: number;
  readonly boards: number;
  readonly tasks: number;
}

/** The preview of {@link previewDeletion} of a page. @throws as the deletion for the level of the caller on that page */
export async function previewPageDeletion(
  workspace: WorkspaceLookup,
  pageId: string,
  permanently: boolean,
): Promise<DeletionPreview> {
  const preview = await previewDeletion(workspace, pageId);
  const page = (await workspace.pages()).find(({ id }) => id === pageId);
  const isAlone = preview.pages === 1 && (page?.type === 'task' || preview.tasks === 0);
  requireLevel(page?.access ?? DENIED, isAlone && !permanently ? EDIT : FULL);
  return preview;
}

/** @param pageId the page that would be deleted with all under it; null for the whole workspace */
export async function previewDeletion(workspace: WorkspaceLookup, pageId: string | null): Promise<DeletionPreview> {
  const pages = await workspace.pages();
  const gone = new Set<string>();
  const onBoard = new Set<string>();
  let [boards, tasks] = [0, 0];
  // Parents come before children.
  for (const { id, type, parentId } of pages) {
    const isNested = parentId !== null && gone.has(parentId);
    if (pageId !== null && id !== pageId && !isNested) continue;
    gone.add(id);
    if (type === 'board' || (parentId !== null && onBoard.has(parentId))) onBoard.add(id);
    if (type === 'board') {
      boards++;
      tasks += (await workspace.boardView(id)).statuses.reduce((sum, { taskCount }) => sum + taskCount, 0);
    } else if (type === 'task' && !onBoard.has(id)) tasks++;
  }
  return { pages: gone.size, boards, tasks };
}

/** Prints what a deletion would remove. */
export function printPreview({ out }: Call, what: string, preview: DeletionPreview): void {
  const { pages, boards, tasks } = preview;
  out.show(
    preview,
    () =>
      safe`Deleting ${what} would delete ${count(pages, 'page')}, ${count(boards, 'board')} and ${count(tasks, 'task')}.\n`,
  );
  out.note('Nothing was deleted.');
}
