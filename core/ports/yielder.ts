/** Lets others run now and then during one long work. */
export interface Yielder {
  /**
   * To be awaited after each step of the work, unless it is null: short work never waits.
   *
   * @param units how much was done: 1, the default, is a record looked at or written
   */
  step(units?: number): Promise<void> | null;
}

/** Lets nobody run: the work is done at once. */
export const AT_ONCE: Yielder = { step: () => null };
