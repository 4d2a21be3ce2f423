import { Slots } from '../../../core/kernel/slots.ts';
import type { Caller } from '../../../core/ports/context.ts';
import type { RequestContext } from '../request/request-context.ts';
import type { CountedAs } from '../request/user-of-caller.ts';

/** Works on a request when it is its turn. */
export type InTurn = <T>(context: RequestContext, caller: Caller, work: () => Promise<T>) => Promise<T>;

/**
 * Limits how many requests of one kind run at once for each user in this process. Further ones of the user wait for
 * their turn.
 */
export class ConcurrencyQueue {
  readonly #slots: Slots;
  readonly #countedAs: (caller: Caller) => Promise<CountedAs>;

  constructor(perUser: number, countedAs: (caller: Caller) => Promise<CountedAs>) {
    this.#slots = new Slots(perUser);
    this.#countedAs = countedAs;
  }

  /**
   * Runs the work of a caller in a slot of their user.
   *
   * @param wait awaits the turn if no slot is free; if it rejects, the slot goes to the next caller
   */
  async run<T>(caller: Caller, work: () => Promise<T>, wait: (turn: Promise<void>) => Promise<void>): Promise<T> {
    const { key } = await this.#countedAs(caller);
    return this.#slots.run(key, work, wait);
  }
}
