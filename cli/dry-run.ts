import type { Call } from './call.ts';
import { count } from './output/count.ts';
import type { Space } from './refs/space.ts';
import { option } from './verb.ts';

/** Of what changes many things at once. */
export const DRY_RUN = option('--dry-run', 'only tell what would happen');

/** What a deletion takes with it, as far as the caller may see it. */
export interface Toll {
  readonly pages: number;
  readonly boards: number;
  readonly tasks: number;
}

/** @param pageId the page that would be deleted with all under it; null for the whole workspace */
export async function tollOf(space: Space, pageId: string | null): Promise<Toll> {
  const pages = await space.pages();
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
      tasks += (await space.boardView(id)).statuses.reduce((sum, { taskCount }) => sum + taskCount, 0);
    } else if (type === 'task' && !onBoard.has(id)) tasks++;
  }
  return { pages: gone.size, boards, tasks };
}

/** Tells what a deletion would take. */
export function tellToll({ out }: Call, what: string, toll: Toll): void {
  const { pages, boards, tasks } = toll;
  out.show(
    toll,
    () =>
      `Deleting ${what} would delete ${count(pages, 'page')}, ${count(boards, 'board')} and ${count(tasks, 'task')}.\n`,
  );
  out.note('Nothing was deleted.');
}
