/** Tasks looked at in one turn of the event loop: some milliseconds. */
const TURN = 1_000;

/**
 * Lets the event loop run on now and then during a long search. It waits for nothing outside, and would keep
 * everyone else waiting. The snapshot that is searched holds meanwhile.
 */
export class Turns {
  #left = TURN;

  /** To be awaited after each step, unless it is null: a short search never waits. */
  step(): Promise<void> | null {
    this.#left -= 1;
    if (this.#left > 0) return null;
    this.#left = TURN;
    return new Promise((resolve) => setImmediate(resolve));
  }
}
