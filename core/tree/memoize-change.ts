import { atOnce, type Stepwise } from '../kernel/stepwise.ts';
import type { Structure, StructureChange } from '../model/workspace/structure.ts';

/** A function of a structure and a change: computed at once, or in steps between which other work runs. */
export interface ByChange<T> {
  (structure: Structure, change: StructureChange): T;
  /** The same in steps. */
  readonly inSteps: (structure: Structure, change: StructureChange) => Stepwise<T>;
}

/** Memoizes a function of a structure and a change. Both are immutable, so the result is computed once. */
export function memoizeByChange<T>(work: (structure: Structure, change: StructureChange) => Stepwise<T>): ByChange<T> {
  const known = new WeakMap<StructureChange, { readonly structure: Structure; readonly result: T }>();
  function* inSteps(structure: Structure, change: StructureChange): Stepwise<T> {
    const before = known.get(change);
    if (before?.structure === structure) return before.result;
    const result = yield* work(structure, change);
    known.set(change, { structure, result });
    return result;
  }
  const now = (structure: Structure, change: StructureChange) => atOnce(inSteps(structure, change));
  return Object.assign(now, { inSteps });
}
