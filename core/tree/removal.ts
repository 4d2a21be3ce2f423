import type { Page } from '../model/page.ts';
import { memoizeByChange } from './memoize-change.ts';

/** The pages that a change removes. */
export interface Removal {
  readonly ids: ReadonlySet<string>;
  readonly pages: readonly Page[];
  /** The removed pages whose parents stay. */
  readonly topmost: readonly Page[];
}

const NOTHING: Removal = { ids: new Set(), pages: [], topmost: [] };

/** The pages that a change of this structure removes. O(pages removed) the first time, then O(1). */
export const removalOf = memoizeByChange((structure, { removedPages = [] }): Removal => {
  if (removedPages.length === 0) return NOTHING;
  const ids = new Set<string>();
  const pages: Page[] = [];
  for (const id of removedPages) {
    ids.add(id);
    const page = structure.page(id);
    if (page !== undefined) pages.push(page);
  }
  return { ids, pages, topmost: pages.filter(({ parentId }) => parentId === null || !ids.has(parentId)) };
});
