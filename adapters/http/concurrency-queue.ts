import type { Caller } from '../../core/ports/context.ts';
import type { RequestContext } from './request/request-context.ts';
import type { CountedAs } from './request/user-of-caller.ts';

/** Works on a request when it is its turn. */
export type InTurn = <T>(context: RequestContext, caller: Caller, work: () => Promise<T>) => Promise<T>;

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
   * Runs the work of a caller in a slot of their user.
   *
   * @param wait awaits the turn where no slot is free; if it rejects, the slot goes to the next
   */
  async run<T>(caller: Caller, work: () => Promise<T>, wait: (turn: Promise<void>) => Promise<void>): Promise<T> {
    const { key } = await this.#countedAs(caller);
    const slots = this.#users.get(key) ?? { taken: 0, waiting: [] };
    this.#users.set(key, slots);
    const isFree = slots.taken < this.#perUser;
    if (isFree) slots.taken += 1;
    try {
      if (!isFree) await wait(new Promise<void>((resolve) => void slots.waiting.push(resolve)));
      return await work();
    } finally {
      this.#release(key, slots);
    }
  }

  /** Who ends hands the slot on to who has waited for longest. */
  #release(key: string, slots: Slots): void {
    const next = slots.waiting.shift();
    if (next !== undefined) return next();
    slots.taken -= 1;
    if (slots.taken === 0) this.#users.delete(key);
  }
}
