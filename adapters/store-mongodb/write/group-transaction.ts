import type { ClientSession } from 'mongodb';
import type { CachedUser, StoreCaches } from '../caches.ts';
import type { DocumentCollection } from '../connection/collections.ts';
import { isAbortedByServer, isDuplicate, isUnavailable, StaleAssumption } from '../connection/errors.ts';
import type { Lock, TransactionCache } from '../query/document-writer.ts';
import { type Doc, type Query, upsert, type Write } from '../query/query.ts';
import { bulkWrite, type QueryScope } from '../query/run-query.ts';
import { type LockHandoff, WorkspaceLocks, type WorkspaceState } from './workspace-locks.ts';
import { columnPlaces, withPlaces } from '../task/column-places.ts';
import {
  CountChanges,
  countsId,
  countsIn,
  type StatusAddress,
  queryCounts,
  type CountsByBoard,
} from '../task/status-counts.ts';
import { commit } from '../connection/transactions.ts';
import { IdentityMap, TransactionReader } from './identity-map.ts';
import { Layers, WriteBuffer } from './layers.ts';
import { UserLocks } from './user-locks.ts';

/** What the cache of a workspace keeps, the latest. */
const CACHED_BOARDS = 20;
const CACHED_COLUMNS = 200;

/**
 * One transaction of the database, in which several writers take turns: a session with a buffer of writes.
 *
 * States: *open*; *failed* once a command has failed (`failure` is set, and whatever a writer makes of that error, all
 * writers have to run again); *committed*; *ended*. While it is open, each writer's part is kept at the next
 * `savepoint`, or dropped by `rollbackWriter` as long as none of it was sent.
 *
 * Invariants: commands run one at a time. Writes are buffered until a query could miss them. Everything that is read
 * is covered by a lock document that this transaction writes, of its workspace or of a user: so nothing that was read
 * changes before the commit, and the transaction takes effect at that instant.
 */
export class GroupTransaction {
  readonly #layers = new Layers();
  readonly transactionCache: TransactionCache = this.#layers.map<unknown>();
  failure: unknown = null;
  readonly #scope: QueryScope;
  readonly #session: ClientSession;
  readonly #caches: StoreCaches;
  readonly #buffer = new WriteBuffer();
  readonly #documents = new IdentityMap(this.#layers);
  readonly #workspaceLocks: WorkspaceLocks;
  readonly #counts = new CountChanges(this.#layers);
  readonly #userLocks: UserLocks;
  readonly #reader: TransactionReader;
  readonly #exclusiveLocks = new Set<string>();
  #wrote = false;
  #lastCommand: Promise<unknown> = Promise.resolve();

  constructor(scope: QueryScope, caches: StoreCaches, handoff: LockHandoff) {
    this.#scope = scope;
    this.#session = scope.session;
    this.#caches = caches;
    this.#workspaceLocks = new WorkspaceLocks(scope, handoff, this.#layers);
    this.#userLocks = new UserLocks(caches.users);
    const flush = (from: DocumentCollection) => this.#flush(from);
    this.#reader = new TransactionReader(scope, this.#documents, this.#userLocks, flush);
  }

  /** Keeps what the writers so far have done. What the next one does can be rolled back to here. */
  savepoint(): void {
    this.#buffer.keepWriter();
    this.#layers.keepWriter();
  }

  /** @returns false when some of the present writer was sent: then only the whole transaction can be rolled back */
  rollbackWriter(): boolean {
    this.#layers.rollbackWriter();
    return this.#buffer.rollbackWriter();
  }

  /**
   * Takes over the cached users that a writer has begun with.
   *
   * @returns false when this transaction knows another version of one of them
   */
  assume(users: readonly CachedUser[]): boolean {
    if (!this.#userLocks.assume(users)) return false;
    this.#documents.seed(
      'users',
      users.map(({ value }) => value),
    );
    return true;
  }

  /** Reads what its writers are going to ask for. */
  readAhead(queries: readonly Query[]): Promise<void> {
    return this.#inTurn(() => this.#readAhead(queries));
  }

  answer(queries: readonly Query[]): Promise<readonly (readonly Doc[])[]> {
    return this.#inTurn(async () => {
      await this.#readAhead(queries);
      const answers: (readonly Doc[])[] = [];
      for (const query of queries) answers.push(await this.#reader.answer(query));
      return answers;
    });
  }

  async workspaceState(workspaceId: string): Promise<WorkspaceState> {
    if (!this.#workspaceLocks.has(workspaceId)) await this.#inTurn(() => this.#lock(workspaceId));
    return this.#workspaceLocks.state(workspaceId);
  }

  changeWorkspaceState(workspaceId: string, fields: Partial<WorkspaceState>): void {
    this.#workspaceLocks.change(workspaceId, fields);
    this.#wrote = true;
  }

  async statusCounts(workspaceId: string, boardIds: readonly string[] | null): Promise<CountsByBoard> {
    const [docs = []] = await this.answer([queryCounts(workspaceId, boardIds)]);
    return this.#counts.applied(countsIn(docs), workspaceId);
  }

  changeCount(status: StatusAddress, by: number): void {
    this.#counts.add(status, by);
    this.#wrote = true;
  }

  /** @param after the document from now on, null where it is removed; undefined: it is never read by id */
  async write(
    from: DocumentCollection,
    write: Write,
    workspaceId?: string,
    after?: { readonly id: string; readonly doc: Doc | null },
  ): Promise<void> {
    this.#wrote = true;
    if (workspaceId !== undefined) {
      await this.workspaceState(workspaceId);
      this.#workspaceLocks.ensure(workspaceId);
    }
    this.#buffer.add(from, write);
    if (after === undefined) return;
    this.#documents.write(from, after.id, after.doc);
    if (from === 'boards' && after.doc === null && workspaceId !== undefined) this.#removeCounts(workspaceId, after.id);
  }

  lock(lock: Lock): void {
    if ('usersRead' in lock) this.#userLocks.lockForRead(lock.usersRead);
    else if ('userChanged' in lock) {
      this.#userLocks.lockForChange(lock.userChanged);
      this.#wrote = true;
    } else this.#exclusiveLocks.add(lock.name);
  }

  commit(): Promise<void> {
    return this.#inTurn(async () => {
      for (const from of this.#buffer.collections) await this.#flush(from);
      await this.#writeLocks();
      await commit(this.#session);
      this.#fillCaches();
    });
  }

  /**
   * Rolls everything back unless it is committed. Does not wait for a server that cannot be reached: it is told as
   * soon as it can be. Nor for one that has aborted it itself: it answers when a majority has heard of that.
   */
  async end(): Promise<void> {
    await this.#lastCommand.catch(() => undefined);
    const aborting = this.#abort();
    if (!isUnavailable(this.failure) && !isAbortedByServer(this.failure)) await aborting;
  }

  async #abort(): Promise<void> {
    if (this.#session.inTransaction()) await this.#session.abortTransaction().catch(() => undefined);
    await this.#session.endSession().catch(() => undefined);
  }

  async #readAhead(queries: readonly Query[]): Promise<void> {
    for (const { workspaceId } of queries) if (workspaceId !== undefined) await this.#lock(workspaceId);
    await this.#reader.readAhead(queries);
  }

  async #lock(workspaceId: string): Promise<void> {
    if (this.#workspaceLocks.has(workspaceId)) return;
    const seq = await this.#workspaceLocks.lock(workspaceId);
    const cached = seq === null ? undefined : this.#caches.workspaces.at(workspaceId, seq);
    if (cached === undefined) return;
    this.#documents.seed('boards', cached.boards);
    withPlaces(this.transactionCache, cached.columns);
  }

  /** The counts of a board go with it. */
  #removeCounts(workspaceId: string, boardId: string): void {
    const id = countsId(workspaceId, boardId);
    this.#counts.drop(boardId);
    this.#documents.write('locks', id, null);
    this.#buffer.add('locks', { deleteOne: { filter: { _id: id } } });
  }

  async #flush(from: DocumentCollection): Promise<void> {
    const writes = this.#buffer.take(from);
    if (writes.length > 0) await bulkWrite(this.#scope, from, writes);
  }

  /** @throws StaleAssumption when a user that was assumed has changed */
  async #writeLocks(): Promise<void> {
    const workspaceId = this.#workspaceLocks.first;
    const validations = this.#userLocks.validations(workspaceId);
    const writes = [...validations, ...(this.#wrote ? this.#lockWrites(workspaceId) : [])];
    if (writes.length === 0) return;
    try {
      const done = await bulkWrite(this.#scope, 'locks', writes);
      if (done.matchedCount + done.upsertedCount === writes.length) return;
    } catch (error) {
      if (!isDuplicate(error)) throw error;
    }
    this.#userLocks.dropAssumed();
    throw new StaleAssumption();
  }

  #lockWrites(workspaceId: string | undefined): Write[] {
    const exclusive = [...this.#exclusiveLocks].toSorted().map((name) => upsert(name, { $inc: { seq: 1 } }));
    return [
      ...this.#workspaceLocks.writes(),
      ...this.#counts.writes(),
      ...exclusive,
      ...this.#userLocks.writes(workspaceId),
    ];
  }

  #fillCaches(): void {
    this.#userLocks.fillCache();
    const { only } = this.#workspaceLocks;
    if (only === null) return;
    const boards = this.#documents.all('boards').slice(-CACHED_BOARDS);
    const columns = new Map([...columnPlaces(this.transactionCache)].slice(-CACHED_COLUMNS));
    const places = [...columns.values()].flat().reduce((sum, stretch) => sum + stretch.places.length, 0);
    this.#caches.workspaces.set(only.workspaceId, only.seq, { boards, columns }, 1 + boards.length + places);
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#lastCommand.catch(() => undefined).then(work);
    this.#lastCommand = result;
    try {
      return await result;
    } catch (error) {
      this.failure ??= error;
      throw error;
    }
  }
}
