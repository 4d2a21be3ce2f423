import { forEachItemStepwise, whileStepwise, type Stepwise } from '../kernel/stepwise.ts';
import type { Page } from '../model/workspace/page.ts';
import { memoizeByChange } from './memoize-change.ts';
import { groupByStepwise } from '../kernel/group.ts';

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
export const removalOf = memoizeByChange(function* (structure, { removedPages = [] }): Stepwise<Removal> {
  if (removedPages.length === 0) return NOTHING;
  const ids = new Set<string>();
  const pages: Page[] = [];
  yield* forEachItemStepwise(removedPages, (id) => {
    ids.add(id);
    const page = structure.page(id);
    if (page !== undefined) pages.push(page);
  });
  const topmost: Page[] = [];
  yield* forEachItemStepwise(pages, (page) => {
    if (page.parentId === null || !ids.has(page.parentId)) topmost.push(page);
  });
  return { ids, pages, topmost, roots: yield* rootsOf(ids, pages, topmost) };
});

function* rootsOf(
  ids: ReadonlySet<string>,
  pages: readonly Page[],
  topmost: readonly Page[],
): Stepwise<readonly Page[]> {
  const goesWithBoard = ({ boardId }: Page): boolean => boardId !== null && ids.has(boardId);
  if (!topmost.some(goesWithBoard)) return topmost;
  const below = yield* groupByStepwise(pages, ({ parentId }) => parentId);
  const onBoard = yield* groupByStepwise(pages, ({ boardId }) => boardId);
  const gone = new Set<string>();
  const roots: Page[] = [];
  function* take(root: Page): Stepwise<void> {
    if (gone.has(root.id)) return;
    roots.push(root);
    const at = [root];
    yield* whileStepwise(() => {
      const page = at.pop();
      if (page === undefined) return false;
      if (gone.has(page.id)) return true;
      gone.add(page.id);
      for (const next of below.get(page.id) ?? []) at.push(next);
      for (const next of page.type === 'board' ? (onBoard.get(page.id) ?? []) : []) at.push(next);
      return true;
    });
  }
  for (const page of topmost) if (!goesWithBoard(page)) yield* take(page);
  // The rest is reachable only from itself: a board below the page of one of its own tasks. The first listed page is
  // taken as the root.
  for (const page of topmost) {
    if (gone.has(page.id)) continue;
    yield* take(pages[0]!);
    yield* take(page);
  }
  return roots;
}
