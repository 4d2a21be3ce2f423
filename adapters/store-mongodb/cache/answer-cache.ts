const MOST = 5_000;

interface CachedAnswer {
  readonly value: object;
  /** To compare by. */
  readonly text: string;
}

/**
 * What was answered last to questions that most reads begin with: which revision the structure has, what board it is.
 * A read goes on with it while the same is asked again in the command that it sends anyway,
 * and its result counts only if the answer is still the same. So nothing is ever served from memory, and
 * there is nothing to wait for first.
 */
export class AnswerCache {
  readonly #answers = new Map<string, CachedAnswer>();

  get(question: string): CachedAnswer | undefined {
    return this.#answers.get(question);
  }

  /** @returns the answer as a text to compare by */
  learn(question: string, value: object | null): string {
    const text = JSON.stringify(value);
    this.#answers.delete(question);
    // Who queries for what is not there may query for anything.
    if (value !== null) this.#answers.set(question, { value, text });
    for (const oldest of this.#answers.keys()) {
      if (this.#answers.size <= MOST) break;
      this.#answers.delete(oldest);
    }
    return text;
  }
}
