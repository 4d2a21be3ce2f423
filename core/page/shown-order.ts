import { VIEW } from '../model/level.ts';
import { lookAtAll, StepwiseCache, sortedStepwise, type Stepwise } from '../kernel/stepwise.ts';
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

const known = new StepwiseCache<PageLevels, ShownOrder>();

/**
 * Pages with a hidden parent come last, by id: their place in the tree tells where hidden pages stand. What is seen below
 * a page follows it in tree order. O(pages) in steps the first time for a revision and a member, then O(1).
 */
export async function shownOrder(viewer: Viewer): Promise<ShownOrder> {
  const all = await levelsOnAllPages(viewer);
  return known.of(all, () => orderFrom(all), viewer.yielder);
}

function* orderFrom(all: PageLevels): Stepwise<ShownOrder> {
  const { pages, parents } = all.order;
  const positions: number[] = [];
  /** By position, that of the page with a hidden parent that a page stands below, or is; -1 for what is seen from the top. */
  const roots = new Int32Array(pages.length);
  const below = new Map<number, number[]>();
  yield* lookAtAll(pages.length, (i) => {
    if (all.levels[i]! < VIEW) return;
    const parent = parents[i]!;
    const root = parent < 0 ? -1 : all.levels[parent]! < VIEW ? i : roots[parent]!;
    roots[i] = root;
    if (root < 0) positions.push(i);
    else if (root === i) below.set(i, [i]);
    else below.get(root)!.push(i);
  });
  const apart = new Map<string, number>();
  const byId = (a: number, b: number) => (pages[a]!.id < pages[b]!.id ? -1 : 1);
  for (const root of yield* sortedStepwise([...below.keys()], byId)) {
    apart.set(pages[root]!.id, apart.size);
    const under = below.get(root)!;
    yield* lookAtAll(under.length, (i) => void positions.push(under[i]!));
  }
  return { all, positions, apart };
}
