/** Yields to other work from time to time during one long computation. */
export interface Yielder {
  /**
   * Called after each step. The result is to be awaited unless it is null: short work never waits.
   *
   * @param units the amount of work done; 1, the default, is a record read or written
   */
  step(units?: number): Promise<void> | null;
}

/** Never yields: the work is done at once. */
export const NEVER_YIELD: Yielder = { step: () => null };

/** A new yielder for a long computation; one that never yields where the ports make none. */
export function yielderOf({ yielder }: { readonly yielder?: (() => Yielder) | undefined }): Yielder {
  return yielder?.() ?? NEVER_YIELD;
}
