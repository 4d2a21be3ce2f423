import {
  type MongoClient,
  MongoServerSelectionError,
  type ObjectId,
  type TopologyDescriptionChangedEvent,
} from 'mongodb';
import { isUnavailable, unavailable } from './errors.ts';

/** Between two questions to a new primary, in ms. */
const PAUSE = 20;

/**
 * Which election made the primary that the driver sees, and whether that primary can be read from.
 *
 * A new primary has every acknowledged write in its log, but may not know of the last ones that a majority has them:
 * until a majority has an entry of its own term, its snapshots may be older than what was acknowledged before. So the
 * first read after an election waits for that entry. Routers of a sharded cluster see to it themselves.
 */
export class Elections {
  readonly #client: MongoClient;
  readonly #bound: number;
  /** The ids of the last election, and of the last whose primary can be read from. Null: there is no replica set. */
  #current: string | null = null;
  #readable: string | null = null;
  #waiting: Promise<void> | null = null;

  /** @param bound how long to wait for a new primary, in ms */
  constructor(client: MongoClient, bound: number) {
    this.#client = client;
    this.#bound = bound;
    client.on('topologyDescriptionChanged', ({ newDescription }: TopologyDescriptionChangedEvent) => {
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
    for (const end = Date.now() + this.#bound; ;) {
      const primary = await this.#hello().catch((error: unknown) => {
        // The driver has looked for a primary already.
        if (error instanceof MongoServerSelectionError || !isUnavailable(error) || Date.now() > end) throw error;
        return null;
      });
      if (primary !== null && primary.committedTerm >= primary.term) {
        this.#readable = primary.election;
        return;
      }
      if (Date.now() > end) throw unavailable(new Error('The new primary is without a majority.'));
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
  }

  async #hello() {
    const { electionId, lastWrite } = (await this.#client.db('admin').command({ hello: 1 })) as Hello;
    if (electionId === undefined) return null;
    const election = electionId.toHexString();
    return { election, term: termOf(election), committedTerm: Number(lastWrite.majorityOpTime.t) };
  }
}

interface Hello {
  /** Of a primary alone. */
  readonly electionId?: ObjectId;
  /** `t` is the term of the last entry that a majority has, as far as the server knows. */
  readonly lastWrite: { readonly majorityOpTime: { readonly t: unknown } };
}

/** The last eight bytes of an election's id are the term. */
function termOf(election: string): number {
  return Number.parseInt(election.slice(8), 16);
}
