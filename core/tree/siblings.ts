import { forEachItemStepwise, sortedStepwise, type Stepwise } from '../kernel/stepwise.ts';
import type { Page } from '../model/workspace/page.ts';

/** Equal keys are ordered by id, and so by creation: ids are UUID v7. */
export function bySiblingOrder(a: Page, b: Page): number {
  return a.orderKey - b.orderKey || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

/** Up to this many changes are inserted by binary search; with more the list is sorted. */
const MAX_INSERTED = 32;

/**
 * The children of a page, in order, without `leaving` and with `arriving`. For a few changes, O(changes log n)
 * comparisons and a copy of the list; else O((n + changes) log(n + changes)), in steps.
 *
 * @param leaving the very records in the list
 */
export function* siblingsAfter(
  siblings: readonly Page[],
  leaving: readonly Page[],
  arriving: readonly Page[],
): Stepwise<readonly Page[]> {
  if (leaving.length + arriving.length > MAX_INSERTED) {
    const gone = new Set<string>();
    yield* forEachItemStepwise(leaving, ({ id }) => void gone.add(id));
    const after: Page[] = [];
    yield* forEachItemStepwise(siblings, (page) => {
      if (!gone.has(page.id)) after.push(page);
    });
    yield* forEachItemStepwise(arriving, (page) => void after.push(page));
    return yield* sortedStepwise(after, bySiblingOrder);
  }
  const after = siblings.slice();
  for (const page of leaving) {
    const at = siblingIndex(after, page);
    if (after[at]?.id === page.id) after.splice(at, 1);
  }
  for (const page of arriving) after.splice(siblingIndex(after, page), 0, page);
  return after;
}

/** The position of a page among ordered siblings, or where it would be inserted. */
export function siblingIndex(siblings: readonly Page[], page: Page): number {
  let low = 0;
  let high = siblings.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (bySiblingOrder(siblings[middle]!, page) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
