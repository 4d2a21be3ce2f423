import { GAP, keyAfter, KEY_LIMIT } from '../kernel/order-key.ts';
import { inSteps, sortedStepwise, mapItems, visitItems } from '../kernel/stepwise.ts';
import type { Page } from '../model/workspace/page.ts';
import type { Yielder } from '../ports/yielder.ts';
import { bySiblingOrder } from '../tree/siblings.ts';

export interface RestoredPlace extends Pick<Page, 'parentId' | 'orderKey'> {
  /** Siblings that make room. */
  readonly moved: readonly Page[];
}

interface LastPlace extends RestoredPlace {
  /** What comes back where it was. */
  readonly pages: readonly Page[];
}

/**
 * The place after all pages under the parent: those that are there, and those of tasks that return with their board.
 * O(pages).
 *
 * @param place the last one among the pages that are there
 * @param pages those that come back
 */
export async function lastBeside(place: RestoredPlace, pages: readonly Page[], yielder: Yielder): Promise<LastPlace> {
  const { parentId, orderKey, moved } = place;
  const behind: Page[] = [];
  const visit = (page: Page) => {
    if (page.parentId === parentId && page.orderKey >= orderKey) behind.push(page);
  };
  await visitItems(pages, yielder, visit);
  if (behind.length === 0) return { ...place, pages };
  const sorted = await inSteps(sortedStepwise(behind, bySiblingOrder), yielder);
  const free = keyAfter(sorted.at(-1)!.orderKey);
  if (free !== null) return { ...place, orderKey: free, pages };
  // The range of keys ends there: the pages that come back after all others get smaller gaps.
  const gap = Math.max(1, Math.min(GAP, Math.floor((KEY_LIMIT - orderKey) / (sorted.length + 1))));
  let key = orderKey - gap;
  const closer = await mapItems(sorted, yielder, (page) => ({ ...page, orderKey: (key += gap) }));
  const changing = new Set(sorted);
  return {
    parentId,
    orderKey: key + gap,
    moved: [...moved, ...closer],
    pages: pages.filter((page) => !changing.has(page)),
  };
}
