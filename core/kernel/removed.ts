/** What a removal has removed, and whether anything is left. */
export interface Removed {
  readonly removed: number;
  readonly more: boolean;
}

/** Removes the first `limit` records of a list. @param list reads the list up to so many records */
export async function removeFirst<T>(
  limit: number,
  list: (limit: number) => Promise<readonly T[]>,
  remove: (record: T) => Promise<void>,
): Promise<Removed> {
  const found = await list(limit + 1);
  const removed = found.slice(0, limit);
  for (const record of removed) await remove(record);
  return { removed: removed.length, more: found.length > limit };
}
