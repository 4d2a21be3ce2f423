/** What a removal has removed, and whether anything is left. */
export interface Removed {
  /** How many records. */
  readonly removed: number;
  /** Whether any are left. */
  readonly more: boolean;
}

/** What one call has removed of a list that is cleared in parts. */
export interface Cleared {
  /** How many records. */
  readonly removed: number;
  /** Where the next call goes on, so that it does not pass over what is removed. Null: nothing is left. */
  readonly next: string | null;
}

/** For a store in which nothing is left in the place of what was removed: each call starts at the beginning. */
export function clearedAtStart({ removed, more }: Removed): Cleared {
  return { removed, next: more ? '' : null };
}

export type Removal = (limit: number) => Promise<Removed>;

/** Removes up to `limit` records by these removals, one after another. */
export async function removeInOrder(removals: readonly Removal[], limit: number): Promise<Removed> {
  let removed = 0;
  for (const removal of removals) {
    const some = await removal(limit - removed);
    removed += some.removed;
    if (some.more) return { removed, more: true };
  }
  return { removed, more: false };
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
