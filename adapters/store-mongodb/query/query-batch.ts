import type { Query, Doc } from './query.ts';

interface Waiting {
  readonly query: Query;
  readonly resolve: (docs: readonly Doc[]) => void;
  readonly reject: (error: unknown) => void;
}

/** Collects what is asked until nothing more can run without an answer, and has it answered together. */
export class Batch {
  readonly #answer: (queries: readonly Query[]) => Promise<readonly (readonly Doc[])[]>;
  #waiting: Waiting[] = [];
  #last: Promise<void> = Promise.resolve();

  constructor(answer: (queries: readonly Query[]) => Promise<readonly (readonly Doc[])[]>) {
    this.#answer = answer;
  }

  query(query: Query): Promise<readonly Doc[]> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length === 0) this.#schedule();
      this.#waiting.push({ query, resolve, reject });
    });
  }

  /** Resolves when nothing is being answered. */
  async idle(): Promise<void> {
    for (let last = this.#last; ; last = this.#last) {
      await last;
      if (last === this.#last) return;
    }
  }

  #schedule(): void {
    // The queue of ticks runs when the queue of promise reactions is empty.
    this.#last = this.#last
      .then(() => new Promise<void>((resolve) => process.nextTick(resolve)))
      .then(() => this.#flush());
  }

  async #flush(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = [];
    try {
      const answers = await this.#answer(waiting.map(({ query }) => query));
      for (const [i, { resolve }] of waiting.entries()) resolve(answers[i] ?? []);
    } catch (error) {
      for (const { reject } of waiting) reject(error);
    }
  }
}
