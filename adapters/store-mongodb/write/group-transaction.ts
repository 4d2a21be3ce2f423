import type { ClientSession, Db } from 'mongodb';
import type { StoreCaches } from '../cache/store-caches.ts';
import { type CachedUser, isCredential } from '../cache/user-cache.ts';
import type { DocumentCollection } from '../connection/collections.ts';
import {
  isAbortedByServer,
  isDuplicate,
  isUnavailable,
  StaleAssumption,
  unwrapBulkWrite,
} from '../connection/errors.ts';
import type { TransactionCache } from '../query/document-writer.ts';
import { type Doc, type Query, type Write, within } from '../query/query.ts';
import { TASK_EXTRAS } from '../query/documents.ts';
import { runQuery, type QueryScope } from '../query/run-query.ts';
import type { WorkspaceState } from '../structure/workspace-state.ts';
import { columnPlaces, withPlaces } from '../task/column-places.ts';
import { countsId, countsIn, type Place, queryCounts, type StatusCounts } from '../task/status-counts.ts';
import { commit } from './commit.ts';
import { CountChanges } from './count-changes.ts';
import { IdentityMap } from './identity-map.ts';
import { Layers } from './layers.ts';
import { upsert, userVersionIn, withUserVersion } from './lock-documents.ts';
import type { LockHandoff } from './lock-handoff.ts';
import { UserLocks } from './user-locks.ts';
import { WorkspaceLocks } from './workspace-locks.ts';
import { WriteBuffer } from './write-buffer.ts';

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
  readonly #db: Db;
  readonly #session: ClientSession;
  readonly #caches: StoreCaches;
  readonly #buffer = new WriteBuffer();
  readonly #documents = new IdentityMap(this.#layers);
  readonly #workspaceLocks: WorkspaceLocks;
  readonly #counts = new CountChanges(this.#layers);
  readonly #userLocks: UserLocks;
  readonly #exclusiveLocks = new Set<string>();
  #wrote = false;
  #lastCommand: Promise<unknown> = Promise.resolve();

  constructor(scope: QueryScope, caches: StoreCaches, handoff: LockHandoff) {
    const { db, session } = scope;
    this.#scope = scope;
    this.#db = db;
    this.#session = session;
    this.#caches = caches;
    this.#workspaceLocks = new WorkspaceLocks(db, session, handoff, this.#layers);
    this.#userLocks = new UserLocks(caches.users);
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
      users.map(({ user }) => user),
    );
    return true;
  }

  /** Reads what several writers are going to ask for by id. */
  readAhead(queries: readonly Query[]): Promise<void> {
    return this.#inTurn(() => this.#readTogether(queries));
  }

  answer(queries: readonly Query[]): Promise<readonly (readonly Doc[])[]> {
    return this.#inTurn(async () => {
      await this.#readTogether(queries);
      const answers: (readonly Doc[])[] = [];
      for (const query of queries) answers.push(await this.#answer(query));
      return answers;
    });
  }

  async workspaceState(workspaceId: string): Promise<WorkspaceState | null> {
    if (!this.#workspaceLocks.has(workspaceId)) await this.#inTurn(() => this.#lock(workspaceId));
    return this.#workspaceLocks.state(workspaceId);
  }

  setWorkspaceState(workspaceId: string, state: WorkspaceState): void {
    this.#workspaceLocks.set(workspaceId, state);
    this.#wrote = true;
  }

  async statusCounts(workspaceId: string, boardIds: readonly string[] | null): Promise<StatusCounts> {
    const [docs = []] = await this.answer([queryCounts(workspaceId, boardIds)]);
    return this.#counts.applied(countsIn(docs), workspaceId);
  }

  changeCount(place: Place, by: number): void {
    this.#counts.add(place, by);
    this.#wrote = true;
  }

  /** @param doc what the document with this id is from now on; null: it is removed */
  async write(
    from: DocumentCollection,
    id: string,
    doc: Doc | null,
    write: Write,
    workspaceId?: string,
  ): Promise<void> {
    await this.#lockToWrite(workspaceId);
    this.#documents.write(from, id, doc);
    this.#buffer.add(from, write);
    if (from !== 'boards' || doc !== null || workspaceId === undefined) return;
    // The counts of a board go with it.
    this.#counts.drop(id);
    await this.writeUnindexed('locks', { deleteOne: { filter: { _id: countsId(workspaceId, id) } } }, workspaceId);
  }

  async writeUnindexed(from: DocumentCollection, write: Write, workspaceId?: string): Promise<void> {
    await this.#lockToWrite(workspaceId);
    this.#documents.invalidate(from);
    this.#buffer.addUnindexed(from, write);
  }

  lockUsersForRead(userIds: readonly string[]): void {
    this.#userLocks.lockForRead(userIds);
  }

  lockUserForChange(userId: string): void {
    this.#userLocks.lockForChange(userId);
    this.#wrote = true;
  }

  lockExclusive(name: string): void {
    this.#exclusiveLocks.add(name);
  }

  /** @param bound how long to ask for the outcome when it is not known, in ms */
  commit(bound: number): Promise<void> {
    return this.#inTurn(async () => {
      for (const from of this.#buffer.collections) await this.#flush(from);
      await this.#writeLocks();
      await commit(this.#session, bound);
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

  /** Locks the workspaces, and finds documents by id with one command for each collection, to be known from then on. */
  async #readTogether(queries: readonly Query[]): Promise<void> {
    const unknown = new Map<string, Query[]>();
    for (const query of queries) {
      const { from, one, workspaceId } = query;
      if (workspaceId === undefined) continue;
      await this.#lock(workspaceId);
      if (one === undefined || !('id' in one) || this.#buffer.hasUnindexed(from)) continue;
      if (this.#documents.find(query) !== undefined) continue;
      const key = `${from} ${workspaceId}`;
      unknown.set(key, [...(unknown.get(key) ?? []), query]);
    }
    for (const together of unknown.values()) {
      const [{ from, workspaceId }, ...others] = together as [Query, ...Query[]];
      if (others.length === 0) continue;
      const ids = together.map(({ one }) => (one as { readonly id: string }).id);
      const found = await this.#run({ from, filter: { _id: { $in: ids }, ...within(workspaceId) } });
      this.#documents.seed(from, found);
    }
  }

  async #answer(query: Query): Promise<readonly Doc[]> {
    const { from, one } = query;
    const known = this.#documents.find(query);
    if (known !== undefined) return known === null ? [] : [known];
    if (one === undefined || this.#buffer.hasUnindexed(from)) await this.#flush(from);
    for (const other of query.alsoReads ?? []) await this.#flush(other);
    const cached = this.#userLocks.cached(query);
    if (cached !== undefined) return [cached];
    if (one === undefined) {
      const found = await this.#run(query);
      // They are whole, but for what is made anew when they are written.
      if (query.project === TASK_EXTRAS) this.#documents.seed(from, found);
      return found;
    }
    const [found] = from === 'users' ? await this.#findUser(query) : await this.#run(query);
    const doc = this.#documents.add(query, found ?? null);
    if (doc !== null && 'field' in one && isCredential(from, one.field)) this.#userLocks.addCredential(from, doc);
    return doc === null ? [] : [doc];
  }

  #run(query: Query): Promise<readonly Doc[]> {
    return runQuery(this.#scope, query, false);
  }

  /** With the version, so that the user can be cached. */
  async #findUser(query: Query): Promise<readonly Doc[]> {
    const [found] = await this.#run({ ...query, stagesAfter: [withUserVersion('$_id')] });
    if (found === undefined) return [];
    const { versions, ...user } = found;
    this.#userLocks.addRead({ user, version: userVersionIn(versions as Doc[]) });
    return [user];
  }

  async #lock(workspaceId: string): Promise<void> {
    if (this.#workspaceLocks.has(workspaceId)) return;
    const seq = await this.#workspaceLocks.lock(workspaceId);
    const cached = seq === null ? undefined : this.#caches.workspaces.at(workspaceId, seq);
    if (cached === undefined) return;
    this.#documents.seed('boards', cached.boards);
    withPlaces(this.transactionCache, cached.columns);
  }

  async #lockToWrite(workspaceId: string | undefined): Promise<void> {
    this.#wrote = true;
    if (workspaceId === undefined) return;
    if (!this.#workspaceLocks.has(workspaceId)) await this.#inTurn(() => this.#lock(workspaceId));
    this.#workspaceLocks.ensure(workspaceId);
  }

  async #flush(from: DocumentCollection): Promise<void> {
    const writes = this.#buffer.take(from);
    if (writes.length > 0) await this.#bulkWrite(from, writes);
  }

  /** @throws StaleAssumption when a user that was assumed has changed */
  async #writeLocks(): Promise<void> {
    const workspaceId = this.#workspaceLocks.first;
    const validations = this.#userLocks.validations(workspaceId);
    const writes = [...validations, ...(this.#wrote ? this.#lockWrites(workspaceId) : [])];
    if (writes.length === 0) return;
    try {
      const done = await this.#bulkWrite('locks', writes);
      if (done.matchedCount + done.upsertedCount === writes.length) return;
    } catch (error) {
      if (!isDuplicate(error)) throw error;
    }
    this.#userLocks.dropAssumed();
    throw new StaleAssumption();
  }

  async #bulkWrite(from: DocumentCollection, writes: Write[]) {
    try {
      return await this.#db.collection<Doc>(from).bulkWrite(writes, { session: this.#session, ordered: true });
    } catch (error) {
      throw unwrapBulkWrite(error);
    }
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
