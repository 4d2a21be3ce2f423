import { VIEW, type Level } from '../access/level.ts';
import type { Viewer } from '../access/viewer.ts';
import type { TaskScope } from './query.ts';

/** Which tasks a viewer sees, from their level on every page. */
export function scopeOf(viewer: Viewer, levels: ReadonlyMap<string, Level>): TaskScope {
  const boards = new Set<string>();
  const hidden = new Set<string>();
  const alone = new Set<string>();
  const { structure } = viewer;
  const seen = (id: string) => (levels.get(id) ?? 0) >= VIEW;
  for (const id of levels.keys()) {
    const page = structure.page(id)!;
    if (page.type === 'board') {
      if (seen(id)) boards.add(id);
    } else if (page.boardId !== null) {
      if (seen(id) && !seen(page.boardId)) alone.add(id);
      if (!seen(id) && seen(page.boardId)) hidden.add(id);
    }
  }
  return { boards, hidden, alone };
}
