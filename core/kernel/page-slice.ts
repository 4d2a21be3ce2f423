import type { Slice } from './record.ts';

/** Cuts a list that was read with `limit + 1`: the first `limit` items, and the id after which the next page starts. */
export function sliceOf<T extends { readonly id: string }>(found: readonly T[], limit: number): Slice<T> {
  const items = found.slice(0, limit);
  return { items, next: found.length > limit ? (items.at(-1)?.id ?? null) : null };
}
