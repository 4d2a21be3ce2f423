/** The pause before a further run, in milliseconds. */
const PAUSE = 200;

/**
 * Runs something again on request. Requests that come while it runs, or right after it, lead to one further run.
 */
export class Rerun {
  readonly #run: () => Promise<void>;
  readonly #failed: (error: unknown) => void;
  #isWanted = false;
  #running: Promise<void> | undefined;

  /** @param failed called with the first error; nothing is run after it */
  constructor(run: () => Promise<void>, failed: (error: unknown) => void) {
    this.#run = run;
    this.#failed = failed;
  }

  request(): void {
    this.#isWanted = true;
    this.#running ??= this.#runAll();
  }

  /** Resolves when nothing runs. */
  async settled(): Promise<void> {
    await this.#running;
  }

  async #runAll(): Promise<void> {
    try {
      while (this.#isWanted) {
        this.#isWanted = false;
        await this.#run();
        if (this.#isWanted) await new Promise((resolve) => setTimeout(resolve, PAUSE));
      }
      this.#running = undefined;
    } catch (error) {
      this.#failed(error);
    }
  }
}
