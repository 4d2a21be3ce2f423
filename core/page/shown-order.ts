import { VIEW } from '../model/access/level.ts';
import { forEachStepwise, StepwiseCache, sortedStepwise, type Stepwise } from '../kernel/stepwise.ts';
import type { PageLevels } from '../access/resolve.ts';
import { levelsOnAllPages, type Viewer } from '../access/viewer.ts';

/** The pages that a viewer sees, in the order of the list. */
export interface ShownOrder {
  readonly all: PageLevels;
  /** Positions in the tree order: pages visible from the top, then subtrees below hidden pages. */
  readonly positions: Int32Array;
  /** The index of each page with a hidden parent among all such pages, by page id. */
  readonly apart: ReadonlyMap<string, number>;
}

const cache = new StepwiseCache<PageLevels, ShownOrder>();

/**
 * Pages with a hidden parent come last, by id, each followed by its visible subtree: their true place would reveal
 * where hidden pages are. O(pages), in steps, once per revision and member; then O(1).
 */
export async function shownOrder(viewer: Viewer): Promise<ShownOrder> {
  const all = await levelsOnAllPages(viewer);
  return cache.of(all, () => orderFrom(all), viewer.yielder);
}

function* orderFrom(all: PageLevels): Stepwise<ShownOrder> {
  const { pages, parents } = all.order;
  const positions = new Int32Array(pages.length);
  let shown = 0;
  /**
   * By position: the position of the nearest ancestor (or the page itself) with a hidden parent; -1 for pages visible
   * from the top.
   */
  const roots = new Int32Array(pages.length);
  const below = new Map<number, number[]>();
  yield* forEachStepwise(pages.length, (i) => {
    if (all.levels[i]! < VIEW) return;
    const parent = parents[i]!;
    const root = parent < 0 ? -1 : all.levels[parent]! < VIEW ? i : roots[parent]!;
    roots[i] = root;
    if (root < 0) positions[shown++] = i;
    else if (root === i) below.set(i, [i]);
    else below.get(root)!.push(i);
  });
  const apart = new Map<string, number>();
  const byId = (a: number, b: number) => (pages[a]!.id < pages[b]!.id ? -1 : 1);
  for (const root of yield* sortedStepwise([...below.keys()], byId)) {
    apart.set(pages[root]!.id, apart.size);
    const under = below.get(root)!;
    yield* forEachStepwise(under.length, (i) => void (positions[shown++] = under[i]!));
  }
  return { all, positions: positions.subarray(0, shown), apart };
}
