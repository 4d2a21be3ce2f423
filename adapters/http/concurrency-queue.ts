import type { Caller } from '../../core/ports/context.ts';
import type { CountedAs } from './request/user-of-caller.ts';

interface Slots {
  taken: number;
  /** Those who wait for one, in the order in which they came. */
  readonly waiting: (() => void)[];
}

/** Has so many requests of one kind of each user run at once in this process. Others of the user wait for their turn. */
export class ConcurrencyQueue {
  readonly #perUser: number;
  readonly #countedAs: (caller: Caller) => Promise<CountedAs>;
  readonly #users = new Map<string, Slots>();

  constructor(perUser: number, countedAs: (caller: Caller) => Promise<CountedAs>) {
    this.#perUser = perUser;
    this.#countedAs = countedAs;
  }

  /**
   * Acquires a slot for the user of the caller.
   *
   * @param wait awaits the turn where no slot is free; if it rejects, the slot goes to the next
   * @returns a function that releases it, to be called once
   */
  async acquire(caller: Caller, wait: (turn: Promise<void>) => Promise<void> = (turn) => turn): Promise<() => void> {
    const { key } = await this.#countedAs(caller);
    const slots = this.#users.get(key) ?? { taken: 0, waiting: [] };
    this.#users.set(key, slots);
    // Who ends hands the slot on to who has waited for longest.
    const release = () => {
      const next = slots.waiting.shift();
      if (next !== undefined) return next();
      slots.taken -= 1;
      if (slots.taken === 0) this.#users.delete(key);
    };
    if (slots.taken < this.#perUser) {
      slots.taken += 1;
      return release;
    }
    try {
      await wait(new Promise<void>((resolve) => void slots.waiting.push(resolve)));
      return release;
    } catch (error) {
      release();
      throw error;
    }
  }
}
