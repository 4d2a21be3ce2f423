import type { Level } from '../model/level.ts';
import { levelUnder, type Principal } from '../access/resolve.ts';
import { levelOn, type Viewer } from '../access/viewer.ts';
import type { Structure, StructureChange } from '../model/structure.ts';
import type { Page } from '../model/page.ts';

/** What goes with a page. */
export interface Nested {
  /** The page, all below it, and for each board among them the pages of its tasks, wherever they stand. */
  readonly pages: readonly Page[];
  /** Those the viewer has on them. */
  readonly levels: ReadonlySet<Level>;
  /** Takes all of them away. */
  readonly change: StructureChange;
}

/** Pages that are worked out while others wait. */
export const INLINE_LIMIT = 500;

/** Ends a transaction without effect: more goes with a page than is to be worked out in it. */
export class SubtreeTooLarge extends Error {}

/** What was found last, by structure: it never changes. */
const known = new WeakMap<Structure, { readonly root: Page; readonly principal: Principal; readonly nested: Nested }>();

/** O(nested) the first time, or O(pages) with a board among them. @throws {@link SubtreeTooLarge} unless it is known already */
export function subtreeOf(viewer: Viewer, root: Page, most: number): Nested {
  const { structure, principal } = viewer;
  const before = known.get(structure);
  if (before?.root === root && isSame(before.principal, principal)) return before.nested;
  const nested = walk(viewer, root, most);
  known.set(structure, { root, principal, nested });
  return nested;
}

function walk(viewer: Viewer, root: Page, most: number): Nested {
  const { structure, principal } = viewer;
  const pages: Page[] = [];
  const levelOf: Level[] = [];
  const levels = new Set<Level>();
  // Below one page none is met twice; only where pages of tasks stand elsewhere is there a need to look.
  let met: Set<string> | null = null;
  const add = (page: Page, level: Level) => {
    if (met?.has(page.id) === true) return;
    met?.add(page.id);
    pages.push(page);
    levelOf.push(level);
  };
  let taskPages: ReadonlyMap<string, readonly Page[]> | undefined;
  add(root, levelOn(viewer, root.id));
  for (let i = 0; i < pages.length; i += 1) {
    if (pages.length > most) throw new SubtreeTooLarge();
    const { id, type } = pages[i]!;
    const level = levelOf[i]!;
    levels.add(level);
    for (const child of structure.children(id)) add(child, levelUnder(child, principal, level));
    if (type !== 'board') continue;
    taskPages ??= taskPagesByBoard(structure);
    for (const page of taskPages.get(id) ?? []) {
      met ??= new Set(pages.map((each) => each.id));
      add(page, levelOn(viewer, page.id));
    }
  }
  return { pages, levels, change: { removedPages: pages.map(({ id }) => id) } };
}

function isSame(a: Principal, b: Principal): boolean {
  return a.memberId === b.memberId && a.role === b.role;
}

function taskPagesByBoard(structure: Structure): ReadonlyMap<string, readonly Page[]> {
  const byBoard = new Map<string, Page[]>();
  for (const page of structure.pages()) {
    if (page.boardId === null) continue;
    const pages = byBoard.get(page.boardId);
    if (pages === undefined) byBoard.set(page.boardId, [page]);
    else pages.push(page);
  }
  return byBoard;
}
