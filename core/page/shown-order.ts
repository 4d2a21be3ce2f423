import { VIEW } from '../model/level.ts';
import type { PageLevels } from '../access/resolve.ts';
import { levelsOnAllPages, type Viewer } from '../access/viewer.ts';

/** The pages that a viewer sees, as they are listed. */
export interface ShownOrder {
  readonly all: PageLevels;
  /** Positions in the tree order: what is seen from the top down, then what stands below hidden pages. */
  readonly positions: readonly number[];
  /** The place of each page with a hidden parent among all such pages, by page id. */
  readonly apart: ReadonlyMap<string, number>;
}

const known = new WeakMap<PageLevels, ShownOrder>();

/**
 * Pages with a hidden parent come last, by id: their place in the tree tells where hidden pages stand. What is seen below
 * a page follows it in tree order. O(pages) the first time for a revision and a member, then O(1).
 */
export function shownOrder(viewer: Viewer): ShownOrder {
  const all = levelsOnAllPages(viewer);
  const before = known.get(all);
  if (before !== undefined) return before;
  const order = orderFrom(all);
  known.set(all, order);
  return order;
}

function orderFrom(all: PageLevels): ShownOrder {
  const { pages, parents } = all.order;
  const positions: number[] = [];
  /** By position, that of the page with a hidden parent that a page stands below, or is; -1 for what is seen from the top. */
  const roots = new Int32Array(pages.length);
  const below = new Map<number, number[]>();
  for (let i = 0; i < pages.length; i += 1) {
    if (all.levels[i]! < VIEW) continue;
    const parent = parents[i]!;
    const root = parent < 0 ? -1 : all.levels[parent]! < VIEW ? i : roots[parent]!;
    roots[i] = root;
    if (root < 0) positions.push(i);
    else if (root === i) below.set(i, [i]);
    else below.get(root)!.push(i);
  }
  const sorted = [...below.keys()].sort((a, b) => (pages[a]!.id < pages[b]!.id ? -1 : 1));
  for (const root of sorted) for (const position of below.get(root)!) positions.push(position);
  return { all, positions, apart: new Map(sorted.map((root, i) => [pages[root]!.id, i])) };
}
