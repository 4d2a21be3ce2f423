import { levelUnder, inheritsFully } from '../access/resolve.ts';
import { levelOn, requireLevel, sees, type Viewer } from '../access/viewer.ts';
import { EspalierError, notFound } from '../kernel/errors.ts';
import { LastComputed } from '../kernel/last-computed.ts';
import { ITEMS_PER_STEP, forEachItemStepwise, type Stepwise } from '../kernel/stepwise.ts';
import { VIEW, type Level } from '../model/access/level.ts';
import type { Page } from '../model/workspace/page.ts';
import type { Structure } from '../model/workspace/structure.ts';
import { GUEST } from '../model/access/role.ts';

/** The most pages of one copy. They are put in place by one commit. */
export const MAX_PAGES = 1_000;

/** The last result, by structure: the steps of a copy ask again. */
const cache = new LastComputed<Structure, readonly Page[]>();

/**
 * A page and what the viewer sees below it, parents first. What is below a hidden page is left out with it, and, unless
 * tasks are copied, so is what is below the page of a task. O(children of those), then cached.
 *
 * @throws `not-found` if the page is hidden or gone, `too-many` for more than 1,000
 */
export function* seenBelow(viewer: Viewer, pageId: string, withTasks: boolean): Stepwise<readonly Page[]> {
  const { memberId, role } = viewer.principal;
  const key = [memberId, role, pageId, withTasks];
  const last = cache.get(key, viewer.structure);
  if (last !== null) return last;
  const pages = yield* walk(viewer, pageId, withTasks);
  cache.set(key, pages, viewer.structure);
  return pages;
}

function* walk(viewer: Viewer, pageId: string, withTasks: boolean): Stepwise<Page[]> {
  const { structure, principal } = viewer;
  const root = structure.page(pageId);
  requireLevel(levelOn(viewer, pageId), VIEW);
  if (root === undefined) throw notFound();
  const pages: Page[] = [root];
  const levels: Level[] = [levelOn(viewer, pageId)];
  let visited = 0;
  for (let i = 0; i < pages.length; i += 1) {
    for (const child of structure.children(pages[i]!.id)) {
      visited += 1;
      if (visited % ITEMS_PER_STEP === 0) yield;
      const level = levelUnder(child, principal, levels[i]!);
      if (level < VIEW || (child.type === 'task' && !withTasks)) continue;
      if (pages.length === MAX_PAGES) {
        throw new EspalierError(
          'too-many',
          `More than ${MAX_PAGES} pages would be copied: copy the pages below separately.`,
        );
      }
      pages.push(child);
      levels.push(level);
    }
  }
  return pages;
}

/**
 * Pages that the viewer sees of tasks on the boards among `pages`, that stand elsewhere and set access: their copies are
 * governed by the copy of the board. O(pages of tasks on those boards).
 */
export function* ownPagesElsewhere(viewer: Viewer, pages: readonly Page[]): Stepwise<Page[]> {
  const known = new Set(pages.map(({ id }) => id));
  const found: Page[] = [];
  for (const { id, type } of pages) {
    if (type !== 'board') continue;
    yield* forEachItemStepwise(viewer.structure.taskPages(id), (page) => {
      if (!known.has(page.id) && !inheritsFully(page) && sees(viewer, page.id)) found.push(page);
    });
  }
  return found;
}

/** How many of the pages have settings or entries of their own. Of entries a guest knows their own alone. */
export function restrictedAmong(viewer: Viewer, pages: readonly Page[]): number {
  const { id, role } = viewer.member;
  return pages.filter((page) =>
    role > GUEST ? !inheritsFully(page) : !page.settings.inherit || Object.hasOwn(page.entries, id),
  ).length;
}
