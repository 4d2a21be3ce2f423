import { invalid, unusable } from '../kernel/errors.ts';
import { keyBetween, spread } from '../kernel/order-key.ts';
import type { ChecklistItem } from '../model/content/checklist-item.ts';

/** The position of an item in its checklist: at most one of these. */
export interface ItemPosition {
  /** Before this item of the same checklist; null: at the end. */
  readonly beforeItemId?: string | null;
  /** After this item of the same checklist; null: at the start. */
  readonly afterItemId?: string | null;
}

export function hasItemPosition({ beforeItemId, afterItemId }: ItemPosition): boolean {
  return beforeItemId !== undefined || afterItemId !== undefined;
}

/**
 * Finds the order key for an item. Where there is no room between two neighbours, all others are spread anew.
 *
 * @param others the other items of the checklist, in order
 * @returns the key, and those of the others whose keys change
 * @throws `invalid-input` for two positions, `unusable-reference` for an item that is not in the checklist
 */
export function placeItem(
  others: readonly ChecklistItem[],
  placing: ItemPosition,
): { readonly orderKey: number; readonly moved: readonly ChecklistItem[] } {
  const at = indexFor(others, placing);
  const orderKey = keyBetween(others[at - 1]?.orderKey, others[at]?.orderKey);
  if (orderKey !== null) return { orderKey, moved: [] };
  const keys = spread(others.length + 1);
  const moved = others.map((item, i) => ({ ...item, orderKey: keys[i < at ? i : i + 1]! }));
  return { orderKey: keys[at]!, moved };
}

function indexFor(others: readonly ChecklistItem[], { beforeItemId, afterItemId }: ItemPosition): number {
  if (beforeItemId !== undefined && afterItemId !== undefined)
    throw invalid('/afterItemId', 'must not be combined with beforeItemId');
  if (afterItemId === null) return 0;
  if (beforeItemId == null && afterItemId === undefined) return others.length;
  const found = others.findIndex(({ id }) => id === (beforeItemId ?? afterItemId));
  if (found < 0) throw unusable(afterItemId === undefined ? 'beforeItemId' : 'afterItemId');
  return afterItemId === undefined ? found : found + 1;
}
