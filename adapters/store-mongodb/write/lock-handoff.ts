import { LRUCache } from 'lru-cache';
import type { Db } from 'mongodb';
import type { Doc } from '../query/query.ts';

/** How long the holder of a lock pauses for a process that waits for it, in ms. */
const PAUSE = 8;
/** How long a waiting process stays at the lock document before it tries its transaction again, in ms. */
const LONGEST_WAIT = 500;
const MOST_WORKSPACES = 1_000;

/** The part of `waiters` in a lock document that this process has added, and the rest. */
interface Counts {
  readonly own: number;
  readonly others: number;
}

/**
 * Fair hand-off of the lock of a workspace between processes. A process that hits a write conflict increments
 * `waiters` in the lock document, which the server lets through when the transaction that holds it ends. The
 * holder sees the number rise, and pauses before its next transaction.
 */
export class LockHandoff {
  readonly #db: Db;
  readonly #counts = new LRUCache<string, Counts>({ max: MOST_WORKSPACES });
  /** Workspaces that another process waits for. */
  readonly #awaited = new Set<string>();

  constructor(db: Db) {
    this.#db = db;
  }

  /** Resolves when the workspace may be free. */
  async announceWaiter(workspaceId: string): Promise<void> {
    const locks = this.#db.collection<Doc>('locks');
    const options = { writeConcern: { w: 1 }, maxTimeMS: LONGEST_WAIT };
    try {
      await locks.updateOne({ _id: { $eq: workspaceId } }, { $inc: { waiters: 1 } }, options);
      const { own, others } = this.#count(workspaceId);
      this.#counts.set(workspaceId, { own: own + 1, others });
    } catch {
      // The next attempt of the transaction meets the same trouble, and reports it.
    }
  }

  /** @param waiters as read from the lock document by a transaction that holds it */
  observeWaiters(workspaceId: string, waiters: number): void {
    const { own, others } = this.#count(workspaceId);
    if (waiters - own > others) this.#awaited.add(workspaceId);
    this.#counts.set(workspaceId, { own, others: waiters - own });
  }

  /** Pauses when another process waits for the workspace. */
  async yieldToWaiters(workspaceId: string): Promise<void> {
    if (this.#awaited.delete(workspaceId)) await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }

  #count(workspaceId: string): Counts {
    return this.#counts.get(workspaceId) ?? { own: 0, others: 0 };
  }
}
