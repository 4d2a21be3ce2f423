import type { ClientSession, Db } from 'mongodb';
import { type Ask, type Derived, type Doc, NO_SPACE, type Space, type Write } from './access.ts';
import type { CollectionName } from './collections.ts';
import { commit } from './commit.ts';
import { isDuplicate, isGivenUp, isUnavailable, ofBulkWrite, StaleGuess } from './failures.ts';
import { Known } from './known.ts';
import type { Knocks } from './knocks.ts';
import { stampIn, upsert, withStamp } from './locks.ts';
import type { Memories } from './memories.ts';
import { isCredential, type People, type Person } from './people.ts';
import { answerOne } from './queries.ts';
import { toSpace } from './space.ts';
import { tailsOf, withTails } from './tails.ts';
import { UndoLog } from './undo.ts';
import { UserLocks } from './user-locks.ts';

/** What earlier transactions have left behind. */
export interface Learned {
  readonly people: People;
  readonly memories: Memories;
  readonly knocks: Knocks;
}

/**
 * One transaction of the database, in which writers take turns. What a writer writes is held in memory
 * until a query could miss it, so that one that fails leaves nothing behind in most cases.
 *
 * Whatever is read is covered by a document that is written: that of its workspace, or one of the user. So
 * nothing that was read changes before the commit, and the transaction is as good as done at one instant.
 */
export class GroupTransaction {
  readonly derived: Derived;
  /** The first error of the database. Whatever a writer makes of it, the transaction is lost. */
  failure: unknown = null;
  readonly #db: Db;
  readonly #session: ClientSession;
  readonly #undo = new UndoLog();
  readonly #known = new Known(this.#undo);
  readonly #spaces = new Map<string, Space | null>();
  readonly #changedSpaces = new Map<string, Space>();
  readonly #pending = new Map<CollectionName, Write[]>();
  readonly #derived = new Map<string, unknown>();
  /** Of the lock documents as this transaction leaves them; null where there was none. */
  readonly #seqs = new Map<string, number | null>();
  readonly #users: UserLocks;
  readonly #memories: Memories;
  readonly #knocks: Knocks;
  readonly #claims = new Set<string>();
  /** Where writes are pending to documents that are not known one by one. */
  readonly #opaque = new Set<CollectionName>();
  /** Where the present writer has writes that are not sent. */
  #unsent = new Set<CollectionName>();
  #spilled = false;
  #wrote = false;
  #last: Promise<unknown> = Promise.resolve();

  constructor(db: Db, session: ClientSession, { people, memories, knocks }: Learned) {
    this.#db = db;
    this.#session = session;
    this.#users = new UserLocks(people);
    this.#memories = memories;
    this.#knocks = knocks;
    this.derived = {
      get: (key) => this.#derived.get(key),
      set: (key, value) => {
        if (value === undefined) this.#undo.delete(this.#derived, key);
        else this.#undo.set(this.#derived, key, value);
      },
    };
  }

  /** The next writer's turn begins. */
  mark(): void {
    this.#undo.mark();
    this.#unsent = new Set();
    this.#spilled = false;
  }

  /** @returns false when something of the present writer was sent, so that only all can be taken back */
  takeBack(): boolean {
    if (this.#spilled) return false;
    this.#undo.back();
    return true;
  }

  /**
   * Lets a writer in that goes by what was known of users before.
   *
   * @returns false when more is known by now
   */
  accepts(guesses: readonly Person[]): boolean {
    if (!this.#users.accept(guesses)) return false;
    this.#known.seed(
      'users',
      guesses.map(({ user }) => user),
    );
    return true;
  }

  answer(asks: readonly Ask[]): Promise<readonly (readonly Doc[])[]> {
    return this.#inTurn(async () => {
      for (const { workspaceId } of asks) if (workspaceId !== undefined) await this.#lock(workspaceId);
      const answers: (readonly Doc[])[] = [];
      for (const ask of asks) answers.push(await this.#answer(ask));
      return answers;
    });
  }

  async space(workspaceId: string): Promise<Space | null> {
    if (!this.#spaces.has(workspaceId)) await this.#inTurn(() => this.#lock(workspaceId));
    return this.#changedSpaces.get(workspaceId) ?? this.#spaces.get(workspaceId) ?? null;
  }

  setSpace(workspaceId: string, space: Space): void {
    this.#undo.set(this.#changedSpaces, workspaceId, space);
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
    if (workspaceId !== undefined && (await this.space(workspaceId)) === null) this.setSpace(workspaceId, NO_SPACE);
    if (id === null) {
      this.#known.forget(from);
      this.#opaque.add(from);
    } else this.#known.write(from, id, doc);
    const pending = this.#pending.get(from) ?? [];
    if (pending.length === 0) this.#pending.set(from, pending);
    pending.push(write);
    this.#undo.did(() => void pending.pop());
    this.#unsent.add(from);
    this.#wrote = true;
  }

  dependsOn(userIds: readonly string[]): void {
    this.#users.need(userIds);
  }

  claimUser(userId: string): void {
    this.#users.change(userId);
    this.#wrote = true;
  }

  claim(name: string): void {
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
    if (!isUnavailable(this.failure) && !isGivenUp(this.failure)) await giving;
  }

  async #giveUp(): Promise<void> {
    if (this.#session.inTransaction()) await this.#session.abortTransaction().catch(() => undefined);
    await this.#session.endSession().catch(() => undefined);
  }

  async #answer(ask: Ask): Promise<readonly Doc[]> {
    if (ask.from === 'locks') return [];
    const known = this.#known.answer(ask);
    if (known !== undefined) return known === null ? [] : [known];
    if (ask.one === undefined || this.#opaque.has(ask.from)) await this.#send(ask.from);
    for (const other of ask.with ?? []) await this.#send(other);
    const guess = this.#users.answer(ask);
    if (guess !== undefined) return [guess];
    const found = ask.from === 'users' && ask.one !== undefined ? await this.#findUser(ask) : await this.#find(ask);
    if (ask.one === undefined) return found;
    const learned = this.#known.learn(ask, found[0] ?? null);
    if (learned !== null && 'field' in ask.one && isCredential(ask.from, ask.one.field)) {
      this.#users.readCredential(ask.from, learned);
    }
    return learned === null ? [] : [learned];
  }

  #find(ask: Ask): Promise<readonly Doc[]> {
    return answerOne(this.#db, this.#session, ask, false);
  }

  /** With the stamp, so that the user can be gone by the next time. */
  async #findUser(ask: Ask): Promise<readonly Doc[]> {
    const [found] = await this.#find({ ...ask, finish: [withStamp('$_id')] });
    if (found === undefined) return [];
    const { stamps, ...user } = found;
    this.#users.readUser({ user, stamp: stampIn(stamps as Doc[]) });
    return [user];
  }

  /** Before anything is read of a workspace: from here on no other write transaction of it can commit. */
  async #lock(workspaceId: string): Promise<void> {
    if (this.#spaces.has(workspaceId)) return;
    const locks = this.#db.collection<Doc>('locks');
    const options = { session: this.#session, returnDocument: 'after' } as const;
    const doc = await locks.findOneAndUpdate({ _id: { $eq: workspaceId } }, { $inc: { seq: 1 } }, options);
    this.#spaces.set(workspaceId, toSpace(doc));
    const seq = (doc?.['seq'] as number | undefined) ?? null;
    this.#seqs.set(workspaceId, seq);
    this.#knocks.hear(workspaceId, (doc?.['knocks'] as number | undefined) ?? 0);
    const memory = seq === null ? undefined : this.#memories.at(workspaceId, seq - 1);
    if (memory === undefined) return;
    this.#known.seed('boards', memory.boards);
    withTails(this.derived, memory.tails);
  }

  async #send(from: CollectionName): Promise<void> {
    const pending = this.#pending.get(from) ?? [];
    if (pending.length === 0) return;
    this.#pending.delete(from);
    this.#opaque.delete(from);
    if (this.#unsent.has(from)) this.#spilled = true;
    await this.#bulkWrite(from, pending);
  }

  /** @throws StaleGuess when a user that was known from before has changed */
  async #sendLocks(): Promise<void> {
    const [workspaceId] = this.#spaces.keys();
    const guesses = this.#users.guesses(workspaceId);
    const writes = [...guesses, ...(this.#wrote ? this.#lockWrites(workspaceId) : [])];
    if (writes.length === 0) return;
    try {
      const done = await this.#bulkWrite('locks', writes);
      if (done.matchedCount + done.upsertedCount === writes.length) return;
    } catch (error) {
      if (!isDuplicate(error)) throw error;
    }
    this.#users.forgetGuesses();
    throw new StaleGuess();
  }

  async #bulkWrite(from: CollectionName, writes: Write[]) {
    try {
      return await this.#db.collection<Doc>(from).bulkWrite(writes, { session: this.#session, ordered: true });
    } catch (error) {
      throw ofBulkWrite(error);
    }
  }

  #lockWrites(workspaceId: string | undefined): Write[] {
    const spaces = [...this.#changedSpaces].map(([id, space]) =>
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
    this.#memories.put(workspaceId, { seq, boards: this.#known.all('boards'), tails: tailsOf(this.derived) });
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
