import type { Doc } from './access.ts';

const MOST = 5_000;

/**
 * What was answered last to questions that most reads begin with: who calls, which revision the
 * structure has, what board it is. A read goes on with it while the same is asked again in the command that it sends anyway,
 * and its result counts only if the answer is still the same. So nothing is ever served from memory, and
 * there is nothing to wait for first.
 */
export class Recall {
  readonly #answers = new Map<string, readonly Doc[]>();

  get(question: string): readonly Doc[] | undefined {
    return this.#answers.get(question);
  }

  learn(question: string, answer: readonly Doc[]): void {
    this.#answers.delete(question);
    // Who asks for what is not there may ask for anything.
    if (answer.length > 0) this.#answers.set(question, answer);
    for (const oldest of this.#answers.keys()) {
      if (this.#answers.size <= MOST) break;
      this.#answers.delete(oldest);
    }
  }
}
