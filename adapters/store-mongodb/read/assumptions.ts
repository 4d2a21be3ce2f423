import { StaleAssumption } from '../connection/errors.ts';
import type { Doc, Query } from '../query/query.ts';

type Validator = (answer: readonly Doc[]) => boolean;

/** The cached values that one read has gone by, and the queries that tell whether they are still valid. */
export class Assumptions {
  readonly #validators = new Map<Query, Validator>();
  readonly #validations: Promise<unknown>[] = [];
  #invalidated = false;

  /** Whether one was wrong. */
  get invalidated(): boolean {
    return this.#invalidated;
  }

  /** @param answer of the query, which is on its way @param validator called with it before anybody gets it */
  add(query: Query, answer: Promise<readonly Doc[]>, validator: Validator): void {
    this.#validators.set(query, validator);
    this.#validations.push(answer);
    answer.catch(() => undefined);
  }

  /** @throws StaleAssumption when one is wrong by these answers, or was before */
  validate(queries: readonly Query[] = [], answers: readonly (readonly Doc[])[] = []): void {
    for (const [i, query] of queries.entries()) {
      if (this.#validators.get(query)?.(answers[i] ?? []) === false) this.#invalidated = true;
    }
    if (this.#invalidated) throw new StaleAssumption();
  }

  /** Resolves when all are validated. @throws StaleAssumption when one was wrong */
  async settled(): Promise<void> {
    await Promise.all(this.#validations);
    this.validate();
  }
}
