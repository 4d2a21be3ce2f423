interface Taken {
  count: number;
  /** The works that wait for a slot, first come first. */
  readonly waiting: (() => void)[];
}

/** A semaphore for each key: limits how many works of the key run at once. Others wait for their turn. */
export class Slots {
  readonly #perKey: number;
  readonly #keys = new Map<string, Taken>();

  constructor(perKey: number) {
    this.#perKey = perKey;
  }

  /**
   * Runs work in a slot of its key.
   *
   * @param wait awaits the turn where no slot is free; if it rejects, the slot goes to the next
   */
  async run<T>(key: string, work: () => Promise<T>, wait = untilThen): Promise<T> {
    const taken = this.#keys.get(key) ?? { count: 0, waiting: [] };
    this.#keys.set(key, taken);
    const isFree = taken.count < this.#perKey;
    if (isFree) taken.count += 1;
    try {
      if (!isFree) await wait(new Promise<void>((resolve) => void taken.waiting.push(resolve)));
      return await work();
    } finally {
      this.#release(key, taken);
    }
  }

  /** A work that ends passes its slot to the one that has waited longest. */
  #release(key: string, taken: Taken): void {
    const next = taken.waiting.shift();
    if (next !== undefined) return next();
    taken.count -= 1;
    if (taken.count === 0) this.#keys.delete(key);
  }
}

function untilThen(turn: Promise<void>): Promise<void> {
  return turn;
}
