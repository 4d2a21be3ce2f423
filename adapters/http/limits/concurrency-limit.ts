import type { Caller } from '../../../core/ports/context.ts';
import type { CountedAs } from '../request/user-of-caller.ts';
import { HttpError } from '../response/problem.ts';

/** How many requests of one kind may be open at once, in one process. */
export interface ConcurrencyBounds {
  /** The most of one user, with all tokens together. */
  readonly perUser: number;
  /** The most of all users. */
  readonly perProcess: number;
}

/** Limits how many long-lived requests are open at once. */
export class ConcurrencyLimit {
  readonly #limits: ConcurrencyBounds;
  readonly #countedAs: (caller: Caller) => Promise<CountedAs>;
  readonly #refusal: string;
  readonly #ofUser = new Map<string, number>();
  #taken = 0;

  /** @param refusal the detail of the error when no slot is left */
  constructor(limits: ConcurrencyBounds, countedAs: (caller: Caller) => Promise<CountedAs>, refusal: string) {
    this.#limits = limits;
    this.#countedAs = countedAs;
    this.#refusal = refusal;
  }

  /**
   * Acquires a slot for the user of the caller.
   *
   * @returns a function that releases it; further calls have no effect
   * @throws `too-many-requests`, and `unauthenticated` for an unknown caller
   */
  async acquire(caller: Caller): Promise<() => void> {
    const { key, refusal } = await this.#countedAs(caller);
    if (refusal !== undefined) throw refusal;
    const before = this.#ofUser.get(key) ?? 0;
    const { perUser, perProcess } = this.#limits;
    if (this.#taken >= perProcess || before >= perUser) {
      throw new HttpError('too-many-requests', this.#refusal, { 'retry-after': '5' });
    }
    this.#taken += 1;
    this.#ofUser.set(key, before + 1);
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.#taken -= 1;
      const left = this.#ofUser.get(key)! - 1;
      if (left === 0) this.#ofUser.delete(key);
      else this.#ofUser.set(key, left);
    };
  }
}
