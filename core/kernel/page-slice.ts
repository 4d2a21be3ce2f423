import type { Slice } from './record.ts';

/** Of a list read one further than the limit: the part to give out, and the id it continues behind. */
export function sliceOf<T extends { readonly id: string }>(found: readonly T[], limit: number): Slice<T> {
  const items = found.slice(0, limit);
  return { items, next: found.length > limit ? (items.at(-1)?.id ?? null) : null };
}
