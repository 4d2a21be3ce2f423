import {
  type Query,
  queryById,
  queryByValue,
  type TransactionCache,
  type Doc,
  EMPTY_STATE,
  type WorkspaceState,
  type Write,
  type DocumentWriter,
} from '../query/query.ts';
import { Batch } from '../query/query-batch.ts';
import type { CollectionName } from '../connection/collections.ts';
import { isCredential, type UserCache, type CachedUser } from '../cache/user-cache.ts';
import type { GroupTransaction } from './group-transaction.ts';

/**
 * One run of one writer. It begins at once, and waits at its first query until it is admitted to a
 * transaction; by then it is known which workspace it is about.
 */
export class UnitOfWork implements DocumentWriter {
  readonly writing = true;
  readonly #batch: Batch;
  readonly #onEnter: (workspaceId: string | null) => void;
  readonly #admitted: Promise<GroupTransaction>;
  #admit!: (transaction: GroupTransaction) => void;
  #transaction: GroupTransaction | null = null;
  /** The first that it is about. */
  workspaceId: string | null = null;
  /** Users that it went on with as they were known before. */
  readonly assumptions = new Map<string, CachedUser>();
  readonly #userCache: UserCache | null;
  #entered = false;
  #over = false;

  /**
   * @param onEnter called once, when a transaction is needed
   * @param userCache to go by until then; null: none
   */
  constructor(onEnter: (workspaceId: string | null) => void, userCache: UserCache | null) {
    this.#onEnter = onEnter;
    this.#userCache = userCache;
    this.#admitted = new Promise((resolve) => {
      this.#admit = resolve;
    });
    this.#batch = new Batch(async (queries) => {
      const about = queries.find((query) => query.workspaceId !== undefined)?.workspaceId ?? null;
      return (await this.#enter(about)).answer(queries);
    });
  }

  get entered(): boolean {
    return this.#entered;
  }

  get admitted(): boolean {
    return this.#transaction !== null;
  }

  get transactionCache(): TransactionCache {
    // Only asked for behind a query or a write, and so within a transaction.
    return (this.#transaction as GroupTransaction).transactionCache;
  }

  admit(transaction: GroupTransaction): void {
    this.#transaction = transaction;
    this.#admit(transaction);
  }

  /** What still runs of the writer gets no further. Resolves when nothing of it is under way. */
  async end(): Promise<void> {
    this.#over = true;
    await this.#batch.idle();
  }

  query(query: Query): Promise<readonly Doc[]> {
    return this.#batch.query(query);
  }

  async byId(from: CollectionName, id: string, workspaceId?: string): Promise<Doc | null> {
    const person = from === 'users' && !this.#entered ? this.#userCache?.user(id) : undefined;
    if (person !== undefined) return this.#assume(person, person.user);
    return (await this.query(queryById(from, id, workspaceId)))[0] ?? null;
  }

  async byValue(from: CollectionName, field: string, value: string, workspaceId?: string): Promise<Doc | null> {
    const known = isCredential(from, field) && !this.#entered ? this.#userCache?.shown(from, value) : undefined;
    if (known !== undefined) return this.#assume(known.person, known.credential);
    return (await this.query(queryByValue(from, field, value, workspaceId)))[0] ?? null;
  }

  async space(workspaceId: string): Promise<WorkspaceState | null> {
    await this.query({ from: 'locks', filter: {}, workspaceId });
    return (await this.#enter(workspaceId)).space(workspaceId);
  }

  async counters(workspaceId: string): Promise<Pick<WorkspaceState, 'nums' | 'tally'>> {
    return (await this.space(workspaceId)) ?? EMPTY_STATE;
  }

  lockUsersForRead(userIds: readonly string[]): void {
    this.#transaction?.lockUsersForRead(userIds);
  }

  async setWorkspaceState(workspaceId: string, space: WorkspaceState): Promise<void> {
    (await this.#enter(workspaceId)).setWorkspaceState(workspaceId, space);
  }

  async lockUserForChange(userId: string): Promise<void> {
    (await this.#enter(null)).lockUserForChange(userId);
  }

  async lockExclusive(name: string): Promise<void> {
    (await this.#enter(null)).lockExclusive(name);
  }

  async insert(from: CollectionName, doc: Doc): Promise<void> {
    await this.#write(from, doc._id, doc, { insertOne: { document: doc } }, workspaceOf(doc));
  }

  async replace(from: CollectionName, doc: Doc): Promise<void> {
    const { _id, ...replacement } = doc;
    const filter = { _id: { $eq: _id } };
    await this.#write(from, _id, doc, { replaceOne: { filter, replacement, upsert: true } }, workspaceOf(doc));
  }

  async remove(from: CollectionName, id: string, workspaceId?: string): Promise<void> {
    await this.#write(from, id, null, { deleteOne: { filter: { _id: { $eq: id } } } }, workspaceId);
  }

  async other(from: CollectionName, write: Write, workspaceId?: string): Promise<void> {
    await this.#write(from, null, null, write, workspaceId);
  }

  #assume(person: CachedUser, doc: Doc): Doc {
    this.assumptions.set(person.user._id, person);
    return doc;
  }

  async #write(from: CollectionName, id: string | null, doc: Doc | null, write: Write, workspaceId?: string) {
    await (await this.#enter(workspaceId ?? null)).write(from, id, doc, write, workspaceId);
  }

  async #enter(workspaceId: string | null): Promise<GroupTransaction> {
    this.workspaceId ??= workspaceId;
    if (!this.#entered) {
      this.#entered = true;
      this.#onEnter(workspaceId);
    }
    const transaction = await this.#admitted;
    if (this.#over) throw new Error('The write is over.');
    return transaction;
  }
}

function workspaceOf(doc: Doc): string | undefined {
  const workspaceId: unknown = doc['workspaceId'];
  return typeof workspaceId === 'string' ? workspaceId : undefined;
}
