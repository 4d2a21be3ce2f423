import type { Page } from '../model/page.ts';
import { memoizeByChange } from './memoize-change.ts';

/** The pages that a change removes. */
export interface Removal {
  readonly ids: ReadonlySet<string>;
  readonly pages: readonly Page[];
  /** The removed pages whose parents are not removed. */
  readonly topmost: readonly Page[];
  /** The few pages whose removal makes all others unreachable, see `reach.ts`. */
  readonly roots: readonly Page[];
}

const NOTHING: Removal = { ids: new Set(), pages: [], topmost: [], roots: [] };

/** The pages that a change of this structure removes. O(pages removed), then cached. */
export const removalOf = memoizeByChange((structure, { removedPages = [] }): Removal => {
  if (removedPages.length === 0) return NOTHING;
  const ids = new Set<string>();
  const pages: Page[] = [];
  for (const id of removedPages) {
    ids.add(id);
    const page = structure.page(id);
    if (page !== undefined) pages.push(page);
  }
  const topmost = pages.filter(({ parentId }) => parentId === null || !ids.has(parentId));
  return { ids, pages, topmost, roots: rootsOf(ids, pages, topmost) };
});

function rootsOf(ids: ReadonlySet<string>, pages: readonly Page[], topmost: readonly Page[]): readonly Page[] {
  const goesWithBoard = ({ boardId }: Page): boolean => boardId !== null && ids.has(boardId);
  if (!topmost.some(goesWithBoard)) return topmost;
  const below = grouped(pages, ({ parentId }) => parentId);
  const onBoard = grouped(pages, ({ boardId }) => boardId);
  const gone = new Set<string>();
  const roots: Page[] = [];
  const take = (root: Page): void => {
    if (gone.has(root.id)) return;
    roots.push(root);
    for (const at = [root]; at.length > 0;) {
      const page = at.pop()!;
      if (gone.has(page.id)) continue;
      gone.add(page.id);
      for (const next of below.get(page.id) ?? []) at.push(next);
      for (const next of page.type === 'board' ? (onBoard.get(page.id) ?? []) : []) at.push(next);
    }
  };
  for (const page of topmost) if (!goesWithBoard(page)) take(page);
  // The rest is reachable only from itself: a board below the page of one of its own tasks. The first listed page is
  // taken as the root.
  for (const page of topmost) {
    if (gone.has(page.id)) continue;
    take(pages[0]!);
    take(page);
  }
  return roots;
}

function grouped(pages: readonly Page[], by: (page: Page) => string | null): ReadonlyMap<string, readonly Page[]> {
  const groups = new Map<string, Page[]>();
  for (const page of pages) {
    const key = by(page);
    if (key === null) continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [page]);
    else group.push(page);
  }
  return groups;
}
