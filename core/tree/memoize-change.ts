import type { Structure, StructureChange } from '../model/structure.ts';

/** Memoizes a function of a structure and a change. Both are immutable, so the result is computed once. */
export function memoizeByChange<T>(
  work: (structure: Structure, change: StructureChange) => T,
): (structure: Structure, change: StructureChange) => T {
  const known = new WeakMap<StructureChange, { readonly structure: Structure; readonly result: T }>();
  return (structure, change) => {
    const before = known.get(change);
    if (before?.structure === structure) return before.result;
    const result = work(structure, change);
    known.set(change, { structure, result });
    return result;
  };
}
