import type { Document, MongoClient, UUID } from 'mongodb';

/** Who we are to the server. It tells it of every transaction that is open. */
export function driverInfo(dbName: string): { readonly name: string; readonly platform: string } {
  return { name: NAME, platform: dbName };
}

const NAME = 'espalier';
/** So long nothing may be heard of a transaction that others wait for, in ms. */
const SILENCE = 2_000;

interface Seen {
  readonly at: number;
  /** Raised by every command of the transaction. */
  readonly activity: string;
}

/**
 * Ends transactions that a process has left open which died, or stands still: their locks would keep others
 * waiting until the server gives them up, after a minute. One that comes back runs its write again.
 */
export class OrphanedTransactions {
  readonly #client: MongoClient;
  readonly #dbName: string;
  #seen = new Map<string, Seen>();
  #looking: Promise<void> | null = null;

  constructor(client: MongoClient, dbName: string) {
    this.#client = client;
    this.#dbName = dbName;
  }

  /** To be called again and again while a lock is waited for. What was silent since an earlier look is ended. */
  async endSilent(): Promise<void> {
    this.#looking ??= this.#look()
      // Who may not look has to wait.
      .catch(() => undefined)
      .finally(() => (this.#looking = null));
    await this.#looking;
  }

  async #look(): Promise<void> {
    const now = performance.now();
    const admin = this.#client.db('admin');
    const open = await admin.aggregate([{ $currentOp: { idleSessions: true } }]).toArray();
    const seen = new Map<string, Seen>();
    const silent: { id: UUID }[] = [];
    for (const operation of open.filter((one) => this.#isOurs(one))) {
      const { lsid, transaction } = operation as { lsid: { id: UUID }; transaction: Document };
      const key = lsid.id.toString();
      const activity = JSON.stringify([transaction['parameters'], transaction['timeActiveMicros']]);
      const before = this.#seen.get(key);
      const first = before?.activity === activity ? before : { at: now, activity };
      seen.set(key, first);
      if (now - first.at >= SILENCE) silent.push({ id: lsid.id });
    }
    this.#seen = seen;
    if (silent.length > 0) await admin.command({ killSessions: silent });
  }

  #isOurs({ type, clientMetadata, transaction }: Document): boolean {
    const { driver, platform } = (clientMetadata ?? {}) as { driver?: { name?: string }; platform?: string };
    return (
      type === 'idleSession' &&
      transaction !== undefined &&
      driver?.name?.endsWith(`|${NAME}`) === true &&
      platform?.endsWith(`|${this.#dbName}`) === true
    );
  }
}
