import { VIEW } from '../model/level.ts';
import { levelIn, type PageLevels } from '../access/resolve.ts';
import { levelsOnAllPages, type Viewer } from '../access/viewer.ts';
import type { Structure } from '../model/structure.ts';
import type { TaskScope } from '../model/task-query.ts';

/** What follows from levels that never change is worked out once. */
const scopes = new WeakMap<PageLevels, TaskScope>();

/** Which tasks a viewer sees. O(pages) the first time for a revision and a member, then O(1). */
export function scopeOf(viewer: Viewer): TaskScope {
  const all = levelsOnAllPages(viewer);
  const scope = scopes.get(all) ?? scopeFrom(all, viewer.structure);
  scopes.set(all, scope);
  return scope;
}

function scopeFrom(all: PageLevels, structure: Structure): TaskScope {
  const boards = new Set<string>();
  const hidden = new Set<string>();
  const alone = new Set<string>();
  const { pages } = all.order;
  for (let i = 0; i < pages.length; i += 1) {
    const page = pages[i]!;
    const seen = all.levels[i]! >= VIEW;
    if (page.type === 'board') {
      if (seen) boards.add(page.id);
    } else if (page.boardId !== null) {
      const boardSeen = levelIn(all, page.boardId) >= VIEW;
      if (seen && !boardSeen) alone.add(page.id);
      if (!seen && boardSeen) hidden.add(page.id);
    }
  }
  for (const id of structure.removedTasks()) hidden.add(id);
  return { boards, hidden, alone };
}
