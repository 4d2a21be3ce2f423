import { forEachStepwise, type Stepwise } from '../kernel/stepwise.ts';
import type { Page } from '../model/workspace/page.ts';
import type { Structure } from '../model/workspace/structure.ts';

/**
 * Whether a change puts pages, or their descendants, deeper than `most` and deeper than before. Walks no further than
 * that, even if an import has a cycle.
 *
 * @param put pages put by the change
 */
export function* nestsTooDeep(structure: Structure, put: readonly Page[], most: number): Stepwise<boolean> {
  const after = new Map(put.map((page) => [page.id, page]));
  const parentAfter = (id: string) => (after.get(id) ?? structure.page(id))?.parentId ?? null;
  const parentBefore = (id: string) => structure.page(id)?.parentId ?? null;
  const depths = new Map<string, number>();
  for (const page of put) {
    yield;
    const before = structure.page(page.id);
    if (before === undefined) {
      if (depthOfNew(page.id, parentAfter, most, depths) > most) return true;
      continue;
    }
    if (before.parentId === page.parentId) continue;
    const stood = depthOf(page.id, parentBefore, Infinity);
    const limit = Math.max(most, stood);
    const stands = depthOf(page.id, parentAfter, limit);
    if (stands > limit) return true;
    if (stands > stood && (yield* reachesBelow(structure, page.id, most - stands))) return true;
  }
  return false;
}

/** Like {@link depthOf}, but caches the depths of the whole path: a new tree is walked once in total. */
function depthOfNew(
  pageId: string,
  parentOf: (id: string) => string | null,
  most: number,
  depths: Map<string, number>,
): number {
  const path: string[] = [];
  let id: string | null = pageId;
  while (id !== null && !depths.has(id) && path.length <= most) {
    path.push(id);
    id = parentOf(id);
  }
  let depth = id === null ? 0 : (depths.get(id) ?? 0);
  for (const each of path.toReversed()) depths.set(each, (depth += 1));
  return depths.get(pageId)!;
}

/** The depth of a page, 1 at the top. Stops at `most + 1`. */
function depthOf(pageId: string, parentOf: (id: string) => string | null, most: number): number {
  let depth = 1;
  for (let id = parentOf(pageId); id !== null && depth <= most; id = parentOf(id)) depth += 1;
  return depth;
}

/** Whether any page is more than `levels` levels below a page. O(pages below it). */
function* reachesBelow(structure: Structure, pageId: string, levels: number): Stepwise<boolean> {
  let row: readonly Page[] = structure.children(pageId);
  for (let level = 0; row.length > 0; level += 1) {
    if (level >= levels) return true;
    const [above, below]: [readonly Page[], Page[]] = [row, []];
    yield* forEachStepwise(above.length, (i) => {
      for (const page of structure.children(above[i]!.id)) below.push(page);
    });
    row = below;
  }
  return false;
}
