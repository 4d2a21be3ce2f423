/** Records looked at or written in one turn of the event loop: some milliseconds. */
const TURN = 1_000;

/**
 * Lets the event loop run on now and then during long work. It waits for nothing outside, and would keep
 * everyone else waiting. The snapshot that is searched holds meanwhile, and so does the turn of a writer.
 */
export class Yielder {
  #left = TURN;

  /** To be awaited after each step, unless it is null: short work never waits. */
  step(records = 1): Promise<void> | null {
    this.#left -= records;
    if (this.#left > 0) return null;
    this.#left = TURN;
    return new Promise((resolve) => setImmediate(resolve));
  }
}
