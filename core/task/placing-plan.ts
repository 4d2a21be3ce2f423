import type { Placing } from './position.ts';
import { MOST_MOVED } from './rebalance.ts';

/** What the placing of a task knows of the write that it is part of. */
export interface PlacingPlan {
  /** How many tasks the write places at the same position after this one. They get room at once. */
  readonly following: number;
  /** How many tasks the write may still move. Shared by all that it places. */
  readonly budget: { left: number };
}

/** Of a write that places one task. */
export function planForOne(): PlacingPlan {
  return { following: 0, budget: { left: MOST_MOVED } };
}

type Draft = Placing & { readonly boardId: string; readonly statusId?: string };

/** Of a write that places these one after the other. It may also move each of its own once. O(drafts). */
export function plansFor(drafts: readonly Draft[]): readonly PlacingPlan[] {
  const budget = { left: MOST_MOVED + drafts.length };
  const behind = new Map<string, number>();
  const plans: PlacingPlan[] = [];
  for (const { boardId, statusId, statusOrderKey, beforeTaskId, afterTaskId } of drafts.toReversed()) {
    const position = JSON.stringify([boardId, statusId ?? '', statusOrderKey ?? '', beforeTaskId, afterTaskId]);
    const following = behind.get(position) ?? 0;
    behind.set(position, following + 1);
    plans.push({ following, budget });
  }
  return plans.toReversed();
}
