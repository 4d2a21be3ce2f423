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
  /** Where the next call resumes, so that it need not skip what was removed before. Null: nothing is left. */
  readonly next: string | null;
}

/** For a store in which removed records leave nothing behind to be skipped: each call starts at the beginning. */
export function clearedAtStart({ removed, more }: Removed): Cleared {
  return { removed, next: more ? '' : null };
}

export type BoundedRemoval = (limit: number) => Promise<Removed>;

/** Removes up to `limit` records by these removals, one after another. */
export async function removeInOrder(removals: readonly BoundedRemoval[], limit: number): Promise<Removed> {
  let removed = 0;
  for (const removal of removals) {
    const some = await removal(limit - removed);
    removed += some.removed;
    if (some.more) return { removed, more: true };
  }
  return { removed, more: false };
}

/** Removes the first `limit` records of a list. @param list reads up to this many records from the start of the list */
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
