import type { TaskPosition } from './position.ts';
import { MAX_MOVED } from '../../kernel/rebalance.ts';

/** What placing a task needs to know about the whole write. */
export interface PlacingPlan {
  /** The number of tasks that the write places at the same position after this one. Room is made for them too. */
  readonly following: number;
  /** The number of other tasks that the write may still move, shared by all its placements. */
  readonly budget: { left: number };
}

/** The plan of a write that places one task. */
export function planForOne(): PlacingPlan {
  return { following: 0, budget: { left: MAX_MOVED } };
}

type PlacementDraft = TaskPosition & { readonly boardId: string; readonly statusId?: string };

/** The plans of a write that places these drafts in order. Its budget includes one move of each. O(drafts). */
export function plansFor(drafts: readonly PlacementDraft[]): readonly PlacingPlan[] {
  const budget = { left: MAX_MOVED + drafts.length };
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
