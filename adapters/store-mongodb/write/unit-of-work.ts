import type { CachedUser, UserCache } from '../caches.ts';
import type { DocumentCollection } from '../connection/collections.ts';
import {
  type DocumentWriter,
  type Lock,
  type DerivedValues,
  type CountsByBoard,
  type ColumnAddress,
  type WorkspaceCounters,
  type WorkspaceState,
} from '../query/documents.ts';
import { type Doc, type Query, type BulkWrite, replacementOf } from '../query/query.ts';
import { QueryBatch } from '../query/run-query.ts';
import { countsIn, queryCounts } from '../task/status-counts.ts';
import type { GroupTransaction } from './group-transaction.ts';

/**
 * One run of one writer, and its view of the database.
 *
 * States: *started*: it runs at once, on cached users alone. *Waiting*: it has reached its first query or write, which
 * tells the workspace, and is suspended until it gets a transaction. *Admitted*: its queries and writes go to that
 * transaction. *Ended*: calls that it still makes get an error.
 */
export class UnitOfWork implements DocumentWriter {
  /** Users that it has read from the cache. To be validated by a transaction. */
  readonly assumptions = new Map<string, CachedUser>();
  /** Its first queries, which are known before it is admitted. */
  firstQueries: readonly Query[] = [];
  /** The first workspace that it accesses, which it is about. */
  workspaceId: string | null = null;
  /** Whether it needs a transaction. It stays true once it has one. */
  needsTransaction = false;
  readonly #batch: QueryBatch;
  readonly #onWaiting: () => void;
  readonly #users: UserCache | null;
  readonly #admission: Promise<GroupTransaction>;
  #resolveAdmission!: (transaction: GroupTransaction) => void;
  #transaction: GroupTransaction | null = null;
  #ended = false;

  /**
   * @param onWaiting called once, when it needs a transaction
   * @param users to be assumed until then; null: none
   */
  constructor(onWaiting: () => void, users: UserCache | null) {
    this.#onWaiting = onWaiting;
    this.#users = users;
    this.#admission = new Promise((resolve) => {
      this.#resolveAdmission = resolve;
    });
    this.#batch = new QueryBatch(async (queries) => {
      if (this.#transaction === null) this.firstQueries = queries;
      const about = queries.find(({ workspaceId }) => workspaceId !== undefined)?.workspaceId ?? null;
      return (await this.#admitted(about)).answer(queries);
    });
  }

  get admitted(): boolean {
    return this.#transaction !== null;
  }

  get transactionCache(): DerivedValues {
    return this.#transaction?.transactionCache ?? EMPTY_CACHE;
  }

  admit(transaction: GroupTransaction): void {
    this.#transaction = transaction;
    this.#resolveAdmission(transaction);
  }

  /** Resolves when none of its queries is running. */
  async end(): Promise<void> {
    this.#ended = true;
    await this.#batch.idle();
  }

  query(query: Query): Promise<readonly Doc[]> {
    return this.#batch.query(query);
  }

  async one(query: Query): Promise<Doc | null> {
    const cached = this.needsTransaction ? undefined : this.#users?.find(query);
    if (cached === undefined) return (await this.query(query))[0] ?? null;
    this.assumptions.set(cached.user.value._id, cached.user);
    return cached.doc;
  }

  async workspaceState(workspaceId: string): Promise<WorkspaceState> {
    return (await this.#admitted(workspaceId)).workspaceState(workspaceId);
  }

  counters(workspaceId: string): Promise<WorkspaceCounters> {
    return this.workspaceState(workspaceId);
  }

  async changeWorkspaceState(workspaceId: string, fields: Partial<WorkspaceState>): Promise<void> {
    (await this.#admitted(workspaceId)).workspaces.change(workspaceId, fields);
  }

  async statusCounts(workspaceId: string, boardIds: readonly string[] | null): Promise<CountsByBoard> {
    const { counts } = await this.#admitted(workspaceId);
    await this.workspaceState(workspaceId);
    return counts.applied(countsIn(await this.query(queryCounts(workspaceId, boardIds))), workspaceId);
  }

  async changeCount(column: ColumnAddress, by: number): Promise<void> {
    (await this.#admitted(column.workspaceId)).counts.add(column, by);
  }

  async lock(lock: Lock): Promise<void> {
    // Before it has a transaction, users are assumed, which locks them later.
    if ('usersRead' in lock) this.#transaction?.lock(lock);
    else (await this.#admitted(null)).lock(lock);
  }

  async insert(from: DocumentCollection, doc: Doc): Promise<void> {
    await this.#write(from, { insertOne: { document: doc } }, workspaceOf(doc), { id: doc._id, doc });
  }

  async replace(from: DocumentCollection, doc: Doc): Promise<void> {
    const write = (known: Doc | null | undefined) => replacementOf(doc, known);
    await this.#write(from, write, workspaceOf(doc), { id: doc._id, doc });
  }

  async remove(from: DocumentCollection, id: string, workspaceId?: string): Promise<void> {
    await this.#write(from, { deleteOne: { filter: { _id: { $eq: id } } } }, workspaceId, { id, doc: null });
  }

  async update(from: DocumentCollection, write: BulkWrite, workspaceId?: string): Promise<void> {
    await this.#write(from, write, workspaceId);
  }

  async #write(...args: Parameters<GroupTransaction['write']>): Promise<void> {
    const [, , workspaceId = null] = args;
    await (await this.#admitted(workspaceId)).write(...args);
  }

  async #admitted(workspaceId: string | null): Promise<GroupTransaction> {
    this.workspaceId ??= workspaceId;
    if (!this.needsTransaction) {
      this.needsTransaction = true;
      this.#onWaiting();
    }
    const transaction = await this.#admission;
    if (this.#ended) throw new Error('The write is over.');
    return transaction;
  }
}

/** The cache of a unit without a transaction. */
const EMPTY_CACHE: DerivedValues = { get: () => undefined, set: () => undefined };

function workspaceOf(doc: Doc): string | undefined {
  const workspaceId: unknown = doc['workspaceId'];
  return typeof workspaceId === 'string' ? workspaceId : undefined;
}
