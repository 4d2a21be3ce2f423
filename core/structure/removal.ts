import type { Page } from '../page/page.ts';
import type { Structure, StructureChange } from './structure.ts';

/** The pages that a change takes away. */
export interface Removal {
  readonly ids: ReadonlySet<string>;
  readonly pages: readonly Page[];
  /** Those whose parents stay. */
  readonly topmost: readonly Page[];
}

const NOTHING: Removal = { ids: new Set(), pages: [], topmost: [] };

/** All who write down or carry out a change ask for the same. */
const known = new WeakMap<StructureChange, { readonly structure: Structure; readonly removal: Removal }>();

/** What a change of this structure takes away. O(pages removed) the first time, then O(1). */
export function removalOf(structure: Structure, change: StructureChange): Removal {
  const { removedPages = [] } = change;
  if (removedPages.length === 0) return NOTHING;
  const before = known.get(change);
  if (before?.structure === structure) return before.removal;
  return keep(structure, change, new Set(removedPages));
}

/** The change that takes away these pages of a structure, and all below them, which are named too. */
export function removing(structure: Structure, ids: ReadonlySet<string>): StructureChange {
  const change = { removedPages: [...ids] };
  keep(structure, change, ids);
  return change;
}

function keep(structure: Structure, change: StructureChange, ids: ReadonlySet<string>): Removal {
  const pages: Page[] = [];
  const topmost: Page[] = [];
  for (const id of ids) {
    const page = structure.page(id);
    if (page === undefined) continue;
    pages.push(page);
    if (page.parentId === null || !ids.has(page.parentId)) topmost.push(page);
  }
  const removal = { ids, pages, topmost };
  known.set(change, { structure, removal });
  return removal;
}
