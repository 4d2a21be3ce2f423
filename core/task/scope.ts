import { VIEW } from '../model/level.ts';
import { levelIn, type PageLevels } from '../access/resolve.ts';
import { levelsOnAllPages, type Viewer } from '../access/viewer.ts';
import type { Structure } from '../model/structure.ts';
import type { TaskScope } from '../model/task-query.ts';

interface Visible {
  readonly scope: TaskScope;
  /** The hidden tasks of the scope by board, as far as they were asked for. */
  readonly hiddenOn: Map<string, ReadonlySet<string>>;
}

/** What follows from levels that never change is worked out once. */
const known = new WeakMap<PageLevels, Visible>();

const NONE: ReadonlySet<string> = new Set();

/** Which tasks a viewer sees. O(pages) the first time for a revision and a member, then O(1). */
export function scopeOf(viewer: Viewer): TaskScope {
  return visibleTo(viewer).scope;
}

/**
 * The hidden tasks of the scope that may be on a board: those that their own pages hide, and those that went with a page.
 * The same set each time for a revision and a member. As much work as {@link scopeOf}.
 */
export function hiddenOn(viewer: Viewer, boardId: string): ReadonlySet<string> {
  const { hiddenOn: byBoard } = visibleTo(viewer);
  const hidden = byBoard.get(boardId) ?? NONE;
  const removed = [...viewer.structure.removedTasks()];
  if (removed.every((id) => hidden.has(id))) return hidden;
  const both = new Set([...hidden, ...removed]);
  byBoard.set(boardId, both);
  return both;
}

function visibleTo(viewer: Viewer): Visible {
  const all = levelsOnAllPages(viewer);
  const visible = known.get(all) ?? visibleFrom(all, viewer.structure);
  known.set(all, visible);
  return visible;
}

function visibleFrom(all: PageLevels, structure: Structure): Visible {
  const boards = new Set<string>();
  const hiddenOn = new Map<string, Set<string>>();
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
      if (!seen && boardSeen) add(hiddenOn, page.boardId, page.id);
    }
  }
  const hidden = new Set([...hiddenOn.values()].flatMap((ids) => [...ids]));
  for (const id of structure.removedTasks()) hidden.add(id);
  return { scope: { boards, hidden, alone }, hiddenOn };
}

function add(sets: Map<string, Set<string>>, key: string, value: string): void {
  const set = sets.get(key);
  if (set === undefined) sets.set(key, new Set([value]));
  else set.add(value);
}
