/** A list cut into slices of this length, in order; the last may be shorter. */
export function* slicesOf<T>(items: readonly T[], length: number): IterableIterator<readonly T[]> {
  for (let from = 0; from < items.length; from += length) yield items.slice(from, from + length);
}
