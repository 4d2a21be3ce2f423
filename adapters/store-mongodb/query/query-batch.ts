import type { Doc, Query } from './query.ts';

type Answer = readonly Doc[];

interface Pending {
  readonly query: Query;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/** Collects queries until the event loop has nothing left to run without an answer, and has them answered together. */
export class QueryBatch {
  readonly #answer: (queries: readonly Query[]) => Promise<readonly Answer[]>;
  #pending: Pending[] = [];
  #last: Promise<void> = Promise.resolve();

  constructor(answer: (queries: readonly Query[]) => Promise<readonly Answer[]>) {
    this.#answer = answer;
  }

  query(query: Query): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.#pending.length === 0) this.#schedule();
      this.#pending.push({ query, resolve, reject });
    });
  }

  /** Resolves when no query is under way. */
  async idle(): Promise<void> {
    for (let last = this.#last; ; last = this.#last) {
      await last;
      if (last === this.#last) return;
    }
  }

  #schedule(): void {
    // `nextTick` callbacks run after all pending promise reactions.
    this.#last = this.#last
      .then(() => new Promise<void>((resolve) => process.nextTick(resolve)))
      .then(() => this.#send());
  }

  async #send(): Promise<void> {
    const pending = this.#pending;
    this.#pending = [];
    try {
      const answers = await this.#answer(pending.map(({ query }) => query));
      for (const [i, { resolve }] of pending.entries()) resolve(answers[i] ?? []);
    } catch (error) {
      for (const { reject } of pending) reject(error);
    }
  }
}
