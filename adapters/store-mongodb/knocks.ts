import type { Db } from 'mongodb';
import type { Doc } from './access.ts';

/** How long somebody who has knocked may need to come in, in ms. */
const OPEN = 8;
const LONGEST_WAIT = 500;
const MOST = 1_000;

interface Counts {
  readonly own: number;
  readonly others: number;
}

/**
 * How processes that write in one workspace take turns. Whoever finds it locked knocks: adds to a number in the
 * lock document, which the server lets through when the transaction that holds it ends. Who holds it sees
 * the number, and leaves the next turn to others.
 */
export class Knocks {
  readonly #db: Db;
  readonly #counts = new Map<string, Counts>();
  readonly #waiting = new Set<string>();

  constructor(db: Db) {
    this.#db = db;
  }

  /** Resolves when the workspace may be free. */
  async knock(workspaceId: string): Promise<void> {
    const locks = this.#db.collection<Doc>('locks');
    const options = { writeConcern: { w: 1 }, maxTimeMS: LONGEST_WAIT };
    try {
      await locks.updateOne({ _id: { $eq: workspaceId } }, { $inc: { knocks: 1 } }, options);
      const { own, others } = this.#count(workspaceId);
      this.#counts.set(workspaceId, { own: own + 1, others });
    } catch {
      // The next attempt tells.
    }
  }

  /** What the lock document says, to whoever has it. */
  hear(workspaceId: string, knocks: number): void {
    const { own, others } = this.#count(workspaceId);
    if (knocks - own > others) this.#waiting.add(workspaceId);
    this.#counts.delete(workspaceId);
    this.#counts.set(workspaceId, { own, others: knocks - own });
    for (const oldest of this.#counts.keys()) {
      if (this.#counts.size <= MOST) break;
      this.#counts.delete(oldest);
    }
  }

  #count(workspaceId: string): Counts {
    return this.#counts.get(workspaceId) ?? { own: 0, others: 0 };
  }

  /** Leaves a moment to those who have knocked. */
  async letIn(workspaceId: string): Promise<void> {
    if (this.#waiting.delete(workspaceId)) await new Promise((resolve) => setTimeout(resolve, OPEN));
  }
}
