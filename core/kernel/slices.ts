/** A list cut into slices of this length, in order; the last may be shorter. */
export function* slicesOf<T>(items: readonly T[], length: number): IterableIterator<readonly T[]> {
  for (let from = 0; from < items.length; from += length) yield items.slice(from, from + length);
}

/** All slices of a list that is read up to `limit` items at a time, each after the last of those before. The last may be empty. */
export async function* readSlices<T>(
  limit: number,
  read: (part: { readonly after: T | null; readonly limit: number }) => Promise<readonly T[]>,
): AsyncIterableIterator<readonly T[]> {
  for (let after: T | null = null; ;) {
    const items: readonly T[] = await read({ after, limit });
    yield items;
    if (items.length < limit) return;
    after = items.at(-1)!;
  }
}
