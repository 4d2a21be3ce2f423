import type { ClientSession } from 'mongodb';
import { groupBy } from '../../../core/kernel/group.ts';
import { type CachedUser, isCredential, weightOfBoard, type StoreCaches } from '../caches.ts';
import type { DocumentCollection } from '../connection/collections.ts';
import { isAbortedByServer, isDuplicate, isUnavailable, StaleAssumption } from '../connection/errors.ts';
import { commit } from '../connection/transactions.ts';
import { givesWholeDocuments, type WorkspaceState, type Lock } from '../query/documents.ts';
import { answersIn, listsTogether } from '../query/lists-together.ts';
import { type Doc, type Query, upsert, type BulkWrite } from '../query/query.ts';
import { bulkWrite, type QueryScope, runQuery } from '../query/run-query.ts';
import { cacheStructures, structuresAt } from '../structure/transaction-structures.ts';
import { columnPlaces, withPlaces } from '../task/column-places.ts';
import { CountChanges } from '../task/status-counts.ts';
import { IdentityMap, WriterLayers, WriteBuffer } from './identity-map.ts';
import { queryUserVersion, UserLocks, userVersionIn, type LockHandoff, WorkspaceLocks } from './locks.ts';

/** The number of boards, the most recently used ones, that the cache of a workspace keeps. */
const CACHED_BOARDS = 20;
const CACHED_COLUMNS = 200;

/**
 * One transaction of the database, in which several writers take turns: a session with a buffer of writes.
 *
 * States: *open*; *failed* once a command has failed (`failure` is set, and all writers must run again, however a
 * writer handles that error); *committed*; *ended*. While it is open, each writer's part is kept at the next
 * `savepoint`, or dropped by `rollbackWriter` as long as none of it was sent.
 *
 * Invariants: commands run one at a time. Writes are buffered until a query could miss them. Everything that is read is
 * covered by a lock document that this transaction writes, of its workspace or of a user: so nothing that was read
 * changes before the commit, and the transaction takes effect at that instant.
 */
export class GroupTransaction {
  readonly #layers = new WriterLayers();
  readonly transactionCache = this.#layers.map<unknown>();
  readonly workspaces: WorkspaceLocks;
  readonly counts = new CountChanges(this.#layers);
  failure: unknown = null;
  readonly #scope: QueryScope;
  readonly #session: ClientSession;
  readonly #caches: StoreCaches;
  readonly #buffer = new WriteBuffer();
  readonly #documents = new IdentityMap(this.#layers);
  readonly #users: UserLocks;
  readonly #exclusiveLocks = new Set<string>();
  #wrote = false;
  #lastCommand: Promise<unknown> = Promise.resolve();

  constructor(scope: QueryScope, caches: StoreCaches, handoff: LockHandoff) {
    this.#scope = scope;
    this.#session = scope.session;
    this.#caches = caches;
    this.workspaces = new WorkspaceLocks(scope, handoff, this.#layers);
    this.#users = new UserLocks(caches.users);
  }

  /** Keeps the work of the writers so far. The work of the next one can be rolled back to this point. */
  savepoint(): void {
    this.#buffer.keepWriter();
    this.#layers.keepWriter();
  }

  /**
   * @returns false if writes of the current writer were already sent: then only the whole transaction can be rolled
   * back
   */
  rollbackWriter(): boolean {
    const read = structuresAt(this.transactionCache.entries(), (id) => this.workspaces.revisionBefore(id));
    this.#layers.rollbackWriter();
    for (const [key, structure] of read) this.transactionCache.set(key, structure);
    return this.#buffer.rollbackWriter();
  }

  /**
   * Takes over the cached users on which a writer has relied so far.
   *
   * @returns false when this transaction knows another version of one of them
   */
  assume(users: readonly CachedUser[]): boolean {
    if (!this.#users.assume(users)) return false;
    this.#documents.seed(
      'users',
      users.map(({ value }) => value),
    );
    return true;
  }

  /** Reads the first queries of its writers in advance. */
  readAhead(queries: readonly Query[]): Promise<void> {
    return this.#inTurn(() => this.#readAhead(queries));
  }

  answer(queries: readonly Query[]): Promise<readonly (readonly Doc[])[]> {
    return this.#inTurn(async () => {
      await this.#readAhead(queries);
      const lists = await this.#answerLists(queries);
      const answers: (readonly Doc[])[] = [];
      for (const query of queries) answers.push(lists.get(query) ?? (await this.#answer(query)));
      return answers;
    });
  }

  /** The answers to lists that can be queried together. */
  async #answerLists(queries: readonly Query[]): Promise<ReadonlyMap<Query, readonly Doc[]>> {
    const answers = new Map<Query, readonly Doc[]>();
    for (const together of listsTogether(queries)) {
      const found = answersIn(together, await this.#answer(together.query));
      for (const [list, docs] of found ?? []) answers.set(list, docs);
    }
    return answers;
  }

  async workspaceState(workspaceId: string): Promise<WorkspaceState> {
    if (!this.workspaces.has(workspaceId)) await this.#inTurn(() => this.#lock(workspaceId));
    return this.workspaces.state(workspaceId);
  }

  /**
   * @param write the write; or it by the document as this transaction knows it: null where it is missing, undefined
   * where it was not read
   * @param after the document from now on, null where it is removed; undefined: it is never read by id
   */
  async write(
    from: DocumentCollection,
    write: BulkWrite | ((known: Doc | null | undefined) => BulkWrite),
    workspaceId?: string,
    after?: { readonly id: string; readonly doc: Doc | null },
  ): Promise<void> {
    this.#wrote = true;
    if (workspaceId !== undefined) {
      await this.workspaceState(workspaceId);
      this.workspaces.ensure(workspaceId);
    }
    const known = after === undefined ? undefined : this.#documents.known(from, after.id);
    this.#buffer.add(from, typeof write === 'function' ? write(known) : write);
    if (after === undefined) return;
    this.#documents.write(from, after.id, after.doc);
    if (from !== 'boards' || after.doc !== null || workspaceId === undefined) return;
    this.#buffer.add('locks', this.counts.remove(workspaceId, after.id));
  }

  lock(lock: Lock): void {
    if ('usersRead' in lock) this.#users.lockForRead(lock.usersRead);
    else if ('userChanged' in lock) this.#users.lockForChange(lock.userChanged);
    else this.#exclusiveLocks.add(lock.name);
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
   * Rolls everything back unless it is committed. It does not wait for a server that cannot be reached: the abort is
   * sent once one can be. Nor does it wait if the server has aborted the transaction itself, as the answer would only
   * come once a majority knows.
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

  /**
   * Answers from what was read or written, with users as they are cached, or else from the database. Buffered writes
   * are sent before a query that could miss them.
   */
  async #answer(query: Query): Promise<readonly Doc[]> {
    const { from, one } = query;
    const known = this.#documents.find(query);
    if (known !== undefined) return known === null ? [] : [known];
    if (one === undefined) await this.#flush(from);
    for (const other of query.alsoReads ?? []) await this.#flush(other);
    const cached = this.#users.cached(query);
    if (cached !== undefined) return [cached];
    const docs = await runQuery(this.#scope, query);
    if (one === undefined) {
      if (givesWholeDocuments(query)) this.#documents.seed(from, docs);
      return docs;
    }
    const [found] = docs;
    if (from === 'users' && found !== undefined) await this.#addUser(found);
    const doc = this.#documents.add(query, found ?? null);
    if (doc !== null && isCredential(query)) this.#users.addCredential(from, doc);
    return doc === null ? [] : [doc];
  }

  /** Adds a user with its version, so that it can be cached. */
  async #addUser(user: Doc): Promise<void> {
    const version = userVersionIn(await runQuery(this.#scope, queryUserVersion(user._id)));
    this.#users.addRead({ value: user, version });
  }

  /** Locks the workspaces, and finds documents by id with one command for each collection. Users are read with their version. */
  async #readAhead(queries: readonly Query[]): Promise<void> {
    for (const { workspaceId } of queries) if (workspaceId !== undefined) await this.#lock(workspaceId);
    const unknown = queries.filter((one) => one.from !== 'users' && this.#documents.find(one) === undefined);
    for (const group of groupBy(unknown, ({ from, workspaceId }) => `${from} ${workspaceId}`).values()) {
      const byId = group.filter(({ one }) => one !== undefined && 'id' in one);
      // A single document is read when it is needed.
      if (byId.length < 2) continue;
      const { from, workspaceId } = group[0]!;
      const ids = byId.map(({ one }) => (one as { readonly id: string }).id);
      const found = await runQuery(this.#scope, { from, workspaceId, filter: { _id: { $in: ids } } });
      this.#documents.seed(from, found);
      for (const query of byId) if (this.#documents.find(query) === undefined) this.#documents.add(query, null);
    }
  }

  async #lock(workspaceId: string): Promise<void> {
    if (this.workspaces.has(workspaceId)) return;
    const seq = await this.workspaces.lock(workspaceId);
    const cached = seq === null ? undefined : this.#caches.workspaces.at(workspaceId, seq);
    if (cached === undefined) return;
    this.#documents.seed('boards', cached.boards);
    withPlaces(this.transactionCache, cached.columns);
  }

  async #flush(from: DocumentCollection): Promise<void> {
    const writes = this.#buffer.take(from);
    if (writes.length > 0) await bulkWrite(this.#scope, from, writes);
  }

  /** @throws StaleAssumption when a user that was assumed has changed */
  async #writeLocks(): Promise<void> {
    const workspaceId = this.workspaces.first;
    const changes = [...this.workspaces.writes(), ...this.counts.writes()];
    const isWrite = this.#wrote || changes.length > 0;
    const exclusive = [...this.#exclusiveLocks].toSorted().map((name) => upsert(name, { $inc: { seq: 1 } }));
    const writes = [
      ...this.#users.validations(workspaceId),
      ...changes,
      ...(isWrite ? [...exclusive, ...this.#users.writes(workspaceId)] : []),
    ];
    if (writes.length === 0) return;
    try {
      const { matchedCount, upsertedCount } = await bulkWrite(this.#scope, 'locks', writes);
      if (matchedCount + upsertedCount === writes.length) return;
    } catch (error) {
      if (!isDuplicate(error)) throw error;
    }
    this.#users.dropAssumed();
    throw new StaleAssumption();
  }

  #fillCaches(): void {
    this.#users.fillCache();
    cacheStructures(this.transactionCache.entries(), this.#caches.structures);
    const { only } = this.workspaces;
    if (only === null) return;
    const boards = this.#documents.all('boards').slice(-CACHED_BOARDS);
    const columns = new Map([...columnPlaces(this.transactionCache)].slice(-CACHED_COLUMNS));
    const weight = boards.reduce((sum, board) => sum + weightOfBoard(board), 0);
    const places = [...columns.values()].flat().reduce((sum, interval) => sum + interval.places.length, 0);
    this.#caches.workspaces.set(only.workspaceId, only.seq, { boards, columns }, 1 + weight + places);
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
