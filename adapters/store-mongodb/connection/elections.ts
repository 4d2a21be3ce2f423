import { setTimeout } from 'node:timers/promises';
import { type Db, MongoServerSelectionError, type TopologyDescriptionChangedEvent } from 'mongodb';
import type { Doc } from '../query/query.ts';
import { isTimedOut, isUnavailable, unavailable } from './errors.ts';

/** Between two questions to a new primary, in ms. */
const PAUSE = 20;

/**
 * Which election made the primary that the driver sees, and whether that primary can be read from.
 *
 * A new primary has every acknowledged write in its log, but may not know of the last ones that a majority has them:
 * until a majority has an entry of its own term, its snapshots may be older than what was acknowledged before. So after
 * an election one linearizable read comes first: it is answered when a majority has an entry that was made for it.
 */
export class Elections {
  readonly #db: Db;
  readonly #bound: number;
  /** The ids of the last election, and of the last whose primary can be read from. Null: there is no replica set. */
  #current: string | null = null;
  #readable: string | null = null;
  #waiting: Promise<void> | null = null;

  /** @param bound how long to wait for a new primary, in ms */
  constructor(db: Db, bound: number) {
    this.#db = db;
    this.#bound = bound;
    db.client.on('topologyDescriptionChanged', ({ newDescription }: TopologyDescriptionChangedEvent) => {
      for (const { type, electionId } of newDescription.servers.values()) {
        if (type === 'RSPrimary' && electionId !== null) this.#current = electionId.toHexString();
      }
    });
  }

  /** A read began after `readable` and ended with the same election: its snapshot has all that was acknowledged before. */
  get current(): string | null {
    return this.#current;
  }

  /** Resolves when the primary can be read from. @throws `store-unavailable` */
  async readable(): Promise<void> {
    while (this.#readable !== this.#current) {
      this.#waiting ??= this.#wait().finally(() => (this.#waiting = null));
      await this.#waiting;
    }
  }

  async #wait(): Promise<void> {
    const election = this.#current;
    for (const end = Date.now() + this.#bound; ;) {
      try {
        const options = { readConcern: 'linearizable', maxTimeMS: this.#bound } as const;
        await this.#db.collection<Doc>('locks').findOne({ _id: { $eq: '' } }, options);
        this.#readable = election;
        return;
      } catch (error) {
        if (isTimedOut(error)) throw unavailable(error);
        // The driver has looked for a primary already.
        if (error instanceof MongoServerSelectionError || !isUnavailable(error) || Date.now() > end) throw error;
      }
      await setTimeout(PAUSE);
    }
  }
}
