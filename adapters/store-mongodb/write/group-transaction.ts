import type { ClientSession, Db } from 'mongodb';
import {
  type Query,
  type TransactionCache,
  type Doc,
  EMPTY_STATE,
  type WorkspaceState,
  type Write,
} from '../query/query.ts';
import type { CollectionName } from '../connection/collections.ts';
import { commit } from './commit.ts';
import {
  isDuplicate,
  isAbortedByServer,
  isUnavailable,
  unwrapBulkWrite,
  StaleAssumption,
} from '../connection/errors.ts';
import { IdentityMap } from './identity-map.ts';
import type { LockHandoff } from './lock-handoff.ts';
import { userVersionIn, upsert, withUserVersion } from './lock-documents.ts';
import type { WorkspaceCache } from '../cache/workspace-cache.ts';
import { isCredential, type UserCache, type CachedUser } from '../cache/user-cache.ts';
import { runQuery } from '../query/run-query.ts';
import { toWorkspaceState } from '../structure/workspace-state.ts';
import { columnEndsOf, withColumnEnds } from '../task/column-ends.ts';
import { UndoLog } from './undo.ts';
import { UserLocks } from './user-locks.ts';

/** What earlier transactions have left behind. */
export interface Learned {
  readonly userCache: UserCache;
  readonly workspaceCache: WorkspaceCache;
  readonly handoff: LockHandoff;
}

/**
 * One transaction of the database, in which writers take turns. What a writer writes is held in memory
 * until a query could miss it, so that one that fails leaves nothing behind in most cases.
 *
 * Whatever is read is covered by a document that is written: that of its workspace, or one of the user. So
 * nothing that was read changes before the commit, and the transaction is as good as done at one instant.
 */
export class GroupTransaction {
  readonly transactionCache: TransactionCache;
  /** The first error of the database. Whatever a writer makes of it, the transaction is lost. */
  failure: unknown = null;
  readonly #db: Db;
  readonly #session: ClientSession;
  readonly #undo = new UndoLog();
  readonly #identityMap = new IdentityMap(this.#undo);
  readonly #spaces = new Map<string, WorkspaceState | null>();
  readonly #changedStates = new Map<string, WorkspaceState>();
  readonly #pending = new Map<CollectionName, Write[]>();
  readonly #cached = new Map<string, unknown>();
  /** Of the lock documents as this transaction leaves them; null where there was none. */
  readonly #seqs = new Map<string, number | null>();
  readonly #users: UserLocks;
  readonly #workspaceCache: WorkspaceCache;
  readonly #handoff: LockHandoff;
  readonly #claims = new Set<string>();
  /** Where writes are pending to documents that are not known one by one. */
  readonly #unindexedWrites = new Set<CollectionName>();
  /** Where the present writer has writes that are not sent. */
  #bufferedByWriter = new Set<CollectionName>();
  #flushed = false;
  #wrote = false;
  #last: Promise<unknown> = Promise.resolve();

  constructor(db: Db, session: ClientSession, { userCache, workspaceCache, handoff }: Learned) {
    this.#db = db;
    this.#session = session;
    this.#users = new UserLocks(userCache);
    this.#workspaceCache = workspaceCache;
    this.#handoff = handoff;
    this.transactionCache = {
      get: (key) => this.#cached.get(key),
      set: (key, value) => {
        if (value === undefined) this.#undo.delete(this.#cached, key);
        else this.#undo.set(this.#cached, key, value);
      },
    };
  }

  /** The next writer's turn begins. */
  mark(): void {
    this.#undo.mark();
    this.#bufferedByWriter = new Set();
    this.#flushed = false;
  }

  /** @returns false when something of the present writer was sent, so that only all can be taken back */
  rollbackWriter(): boolean {
    if (this.#flushed) return false;
    this.#undo.back();
    return true;
  }

  /**
   * Lets a writer in that goes by what was known of users before.
   *
   * @returns false when more is known by now
   */
  accepts(assumptions: readonly CachedUser[]): boolean {
    if (!this.#users.accept(assumptions)) return false;
    this.#identityMap.seed(
      'users',
      assumptions.map(({ user }) => user),
    );
    return true;
  }

  answer(queries: readonly Query[]): Promise<readonly (readonly Doc[])[]> {
    return this.#inTurn(async () => {
      for (const { workspaceId } of queries) if (workspaceId !== undefined) await this.#lock(workspaceId);
      const answers: (readonly Doc[])[] = [];
      for (const query of queries) answers.push(await this.#answer(query));
      return answers;
    });
  }

  async space(workspaceId: string): Promise<WorkspaceState | null> {
    if (!this.#spaces.has(workspaceId)) await this.#inTurn(() => this.#lock(workspaceId));
    return this.#changedStates.get(workspaceId) ?? this.#spaces.get(workspaceId) ?? null;
  }

  setWorkspaceState(workspaceId: string, space: WorkspaceState): void {
    this.#undo.set(this.#changedStates, workspaceId, space);
    this.#wrote = true;
  }

  /** @param id of the one document that it writes to; null when they are not known */
  async write(
    from: CollectionName,
    id: string | null,
    doc: Doc | null,
    write: Write,
    workspaceId?: string,
  ): Promise<void> {
    if (workspaceId !== undefined && (await this.space(workspaceId)) === null)
      this.setWorkspaceState(workspaceId, EMPTY_STATE);
    if (id === null) {
      this.#identityMap.forget(from);
      this.#unindexedWrites.add(from);
    } else this.#identityMap.write(from, id, doc);
    const pending = this.#pending.get(from) ?? [];
    if (pending.length === 0) this.#pending.set(from, pending);
    pending.push(write);
    this.#undo.did(() => void pending.pop());
    this.#bufferedByWriter.add(from);
    this.#wrote = true;
  }

  lockUsersForRead(userIds: readonly string[]): void {
    this.#users.need(userIds);
  }

  lockUserForChange(userId: string): void {
    this.#users.change(userId);
    this.#wrote = true;
  }

  lockExclusive(name: string): void {
    this.#claims.add(name);
  }

  get workspaceIds(): readonly string[] {
    return [...this.#spaces.keys()];
  }

  /** @param bound how long to look for the outcome when it is not known, in ms */
  commit(bound: number): Promise<void> {
    return this.#inTurn(async () => {
      for (const from of this.#pending.keys()) await this.#send(from);
      await this.#sendLocks();
      await commit(this.#session, bound);
      this.#remember();
    });
  }

  /**
   * Gives everything up, unless it is committed. Does not wait for a server that cannot be reached: it is told
   * as soon as it can be. Nor for one that has given it up by itself: it answers when a majority has heard of it.
   */
  async end(): Promise<void> {
    await this.#last.catch(() => undefined);
    const giving = this.#giveUp();
    if (!isUnavailable(this.failure) && !isAbortedByServer(this.failure)) await giving;
  }

  async #giveUp(): Promise<void> {
    if (this.#session.inTransaction()) await this.#session.abortTransaction().catch(() => undefined);
    await this.#session.endSession().catch(() => undefined);
  }

  async #answer(query: Query): Promise<readonly Doc[]> {
    if (query.from === 'locks') return [];
    const known = this.#identityMap.answer(query);
    if (known !== undefined) return known === null ? [] : [known];
    if (query.one === undefined || this.#unindexedWrites.has(query.from)) await this.#send(query.from);
    for (const other of query.alsoReads ?? []) await this.#send(other);
    const guess = this.#users.answer(query);
    if (guess !== undefined) return [guess];
    const found =
      query.from === 'users' && query.one !== undefined ? await this.#findUser(query) : await this.#find(query);
    if (query.one === undefined) return found;
    const learned = this.#identityMap.learn(query, found[0] ?? null);
    if (learned !== null && 'field' in query.one && isCredential(query.from, query.one.field)) {
      this.#users.readCredential(query.from, learned);
    }
    return learned === null ? [] : [learned];
  }

  #find(query: Query): Promise<readonly Doc[]> {
    return runQuery(this.#db, this.#session, query, false);
  }

  /** With the version, so that the user can be gone by the next time. */
  async #findUser(query: Query): Promise<readonly Doc[]> {
    const [found] = await this.#find({ ...query, stagesAfter: [withUserVersion('$_id')] });
    if (found === undefined) return [];
    const { versions, ...user } = found;
    this.#users.readUser({ user, version: userVersionIn(versions as Doc[]) });
    return [user];
  }

  /** Before anything is read of a workspace: from here on no other write transaction of it can commit. */
  async #lock(workspaceId: string): Promise<void> {
    if (this.#spaces.has(workspaceId)) return;
    const locks = this.#db.collection<Doc>('locks');
    const options = { session: this.#session, returnDocument: 'after' } as const;
    const doc = await locks.findOneAndUpdate({ _id: { $eq: workspaceId } }, { $inc: { seq: 1 } }, options);
    this.#spaces.set(workspaceId, toWorkspaceState(doc));
    const seq = (doc?.['seq'] as number | undefined) ?? null;
    this.#seqs.set(workspaceId, seq);
    this.#handoff.observeWaiters(workspaceId, (doc?.['waiters'] as number | undefined) ?? 0);
    const memory = seq === null ? undefined : this.#workspaceCache.at(workspaceId, seq - 1);
    if (memory === undefined) return;
    this.#identityMap.seed('boards', memory.boards);
    withColumnEnds(this.transactionCache, memory.ends);
  }

  async #send(from: CollectionName): Promise<void> {
    const pending = this.#pending.get(from) ?? [];
    if (pending.length === 0) return;
    this.#pending.delete(from);
    this.#unindexedWrites.delete(from);
    if (this.#bufferedByWriter.has(from)) this.#flushed = true;
    await this.#bulkWrite(from, pending);
  }

  /** @throws StaleAssumption when a user that was known from before has changed */
  async #sendLocks(): Promise<void> {
    const [workspaceId] = this.#spaces.keys();
    const assumptions = this.#users.assumptions(workspaceId);
    const writes = [...assumptions, ...(this.#wrote ? this.#lockWrites(workspaceId) : [])];
    if (writes.length === 0) return;
    try {
      const done = await this.#bulkWrite('locks', writes);
      if (done.matchedCount + done.upsertedCount === writes.length) return;
    } catch (error) {
      if (!isDuplicate(error)) throw error;
    }
    this.#users.forgetAssumptions();
    throw new StaleAssumption();
  }

  async #bulkWrite(from: CollectionName, writes: Write[]) {
    try {
      return await this.#db.collection<Doc>(from).bulkWrite(writes, { session: this.#session, ordered: true });
    } catch (error) {
      throw unwrapBulkWrite(error);
    }
  }

  #lockWrites(workspaceId: string | undefined): Write[] {
    const spaces = [...this.#changedStates].map(([id, space]) =>
      upsert(id, { $set: { ...space }, $inc: { seq: this.#seqs.get(id) == null ? 1 : 0 } }),
    );
    const claims = [...this.#claims].toSorted().map((name) => upsert(name, { $inc: { seq: 1 } }));
    return [...spaces, ...claims, ...this.#users.writes(workspaceId)];
  }

  /** For the transactions to come. */
  #remember(): void {
    this.#users.remember();
    const [only, ...others] = this.#seqs;
    if (only === undefined || others.length > 0 || only[1] === null) return;
    const [workspaceId, seq] = only;
    this.#workspaceCache.put(workspaceId, {
      seq,
      boards: this.#identityMap.all('boards'),
      ends: columnEndsOf(this.transactionCache),
    });
  }

  /** A transaction takes one command at a time. */
  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.catch(() => undefined).then(work);
    this.#last = result;
    try {
      return await result;
    } catch (error) {
      this.failure ??= error;
      throw error;
    }
  }
}
