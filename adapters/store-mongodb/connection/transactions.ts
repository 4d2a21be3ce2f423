import { setTimeout } from 'node:timers/promises';
import {
  type ClientSession,
  type Document,
  type MongoClient,
  MongoError,
  MongoErrorLabel,
  MongoWriteConcernError,
  type UUID,
} from 'mongodb';
import { isConnectionLost, isInterrupted, isNoSuchTransaction, isUnavailable } from './errors.ts';
import { storeError, UNCONFIRMED_DETAIL } from './store-errors.ts';

const PAUSE = 100;
/** How long to ask for the outcome of a commit, in ms: longer than it takes to elect a primary. */
const OUTCOME_TIMEOUT = 20_000;

/**
 * Commits. When the answer is lost, asks again until the outcome is known: the servers keep the outcome of a
 * transaction, also through a change of the primary.
 *
 * @throws `store-unavailable` when it is still not known
 */
export async function commit(session: ClientSession): Promise<void> {
  const end = performance.now() + OUTCOME_TIMEOUT;
  for (;;) {
    try {
      await session.commitTransaction();
      return;
    } catch (error) {
      if (!isUnknown(error)) throw error;
      if (performance.now() > end) {
        throw storeError('store-unavailable', UNCONFIRMED_DETAIL, error);
      }
      await setTimeout(PAUSE);
    }
  }
}

/**
 * Whether the outcome of a commit is unknown. That holds even if this request was never sent, as an earlier one may
 * have been.
 */
function isUnknown(error: unknown): boolean {
  if (!(error instanceof MongoError)) return isConnectionLost(error);
  if (error.hasErrorLabel(MongoErrorLabel.UnknownTransactionCommitResult)) return true;
  // The transaction is committed, but it is unknown whether a majority has it. The driver does not label all of these
  // errors.
  if (error instanceof MongoWriteConcernError) return true;
  // Without that label no majority has confirmed that the transaction does not exist: it may be committed on another
  // server.
  return (
    (isUnavailable(error) || isInterrupted(error) || isNoSuchTransaction(error)) &&
    !error.hasErrorLabel(MongoErrorLabel.TransientTransactionError)
  );
}

/** Identifies the connections of this store and database to the server, which lists it with every open transaction. */
export function driverInfo(dbName: string): { readonly name: string; readonly platform: string } {
  return { name: NAME, platform: dbName };
}

const NAME = 'espalier';
/** A transaction without a command for this time counts as orphaned, in ms. */
const ORPHANED_AFTER = 2_000;

interface TransactionActivity {
  readonly at: number;
  /** Changes with every command of the transaction. */
  readonly activity: string;
}

/**
 * Ends orphaned transactions: those of processes that have died or are suspended. Their locks would block others until
 * the server aborts them, after a minute. A process that continues afterwards runs its write again.
 */
export class OrphanedTransactions {
  readonly #client: MongoClient;
  readonly #dbName: string;
  #seen = new Map<string, TransactionActivity>();
  #check: Promise<void> | null = null;

  constructor(client: MongoClient, dbName: string) {
    this.#client = client;
    this.#dbName = dbName;
  }

  /**
   * To be called repeatedly while a writer waits for a lock. Ends transactions that were silent between two calls for
   * long enough.
   */
  async endSilent(): Promise<void> {
    this.#check ??= this.#endSilent()
      // Without the right to list transactions, the writer waits for the server.
      .catch(() => undefined)
      .finally(() => (this.#check = null));
    await this.#check;
  }

  async #endSilent(): Promise<void> {
    const now = performance.now();
    const admin = this.#client.db('admin');
    const open = await admin.aggregate([{ $currentOp: { idleSessions: true } }]).toArray();
    const seen = new Map<string, TransactionActivity>();
    const silent: { id: UUID }[] = [];
    for (const operation of open.filter((one) => this.#isOurs(one))) {
      const { lsid, transaction } = operation as { lsid: { id: UUID }; transaction: Document };
      const key = lsid.id.toString();
      const activity = JSON.stringify([transaction['parameters'], transaction['timeActiveMicros']]);
      const before = this.#seen.get(key);
      const first = before?.activity === activity ? before : { at: now, activity };
      seen.set(key, first);
      if (now - first.at >= ORPHANED_AFTER) silent.push({ id: lsid.id });
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
