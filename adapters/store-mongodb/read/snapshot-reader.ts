import type { ClientSession, Db } from 'mongodb';
import {
  type Query,
  queryById,
  queryByValue,
  type TransactionCache,
  type Doc,
  EMPTY_STATE,
  type WorkspaceState,
  type DocumentWriter,
} from '../query/query.ts';
import { Batch } from '../query/query-batch.ts';
import type { CollectionName } from '../connection/collections.ts';
import { queryUserVersion, userVersionIn, withUserVersion } from '../write/lock-documents.ts';
import { isCredential, type UserCache, type CachedUser } from '../cache/user-cache.ts';
import { runQuery } from '../query/run-query.ts';
import type { AnswerCache } from '../cache/answer-cache.ts';
import { toWorkspaceState } from '../structure/workspace-state.ts';
import { runCombined } from '../query/combined-query.ts';

/** What earlier reads and writes have left behind. */
export interface Remembered {
  readonly answerCache: AnswerCache;
  readonly userCache: UserCache;
}

/**
 * Reads outside a transaction, all from one snapshot: the first answer fixes its time, the session keeps
 * it. What is asked in one turn costs one round trip.
 */
export class SnapshotReader implements DocumentWriter {
  readonly writing = false;
  readonly transactionCache: TransactionCache = { get: () => undefined, set: () => undefined };
  /** Resolves when a guess was invalidated. Then nothing that is still asked is ever answered. */
  readonly invalidated: Promise<void>;
  readonly #batch: Batch;
  readonly #session: ClientSession;
  readonly #answerCache: AnswerCache;
  readonly #userCache: UserCache;
  /** Users that came along with what was asked for. */
  readonly #users = new Map<string, Doc>();
  /** Told the answer before anybody else is. False: the read went on with something else. */
  readonly #validators = new Map<Query, (answer: readonly Doc[]) => boolean>();
  readonly #checks: Promise<unknown>[] = [];
  #invalidate!: () => void;
  #assuming: boolean;
  #isInvalidated = false;
  #answered = false;
  #over = false;

  /** @param assuming whether to go on with what is remembered until the first answer */
  constructor(
    db: Db,
    session: ClientSession,
    unions: boolean,
    { answerCache, userCache }: Remembered,
    assuming: boolean,
  ) {
    this.#session = session;
    this.#answerCache = answerCache;
    this.#userCache = userCache;
    this.#assuming = assuming;
    this.invalidated = new Promise((resolve) => (this.#invalidate = resolve));
    this.#batch = new Batch(async (queries) => {
      if (this.#over) throw new Error('The read is over.');
      this.#assuming = false;
      const answers = await runAll(db, session, queries, unions);
      if (this.#validate(queries, answers)) return answers;
      this.#isInvalidated = true;
      this.#invalidate();
      return new Promise(() => undefined);
    });
  }

  /** Whether an answer was given that is certain. What is read from then on is read once. */
  get answered(): boolean {
    return this.#answered;
  }

  query(query: Query): Promise<readonly Doc[]> {
    return this.#batch.query(query);
  }

  /** Whether all that it went on with has turned out to be so. Nothing that came of it counts before. */
  assumptionsHold(): Promise<boolean> {
    return Promise.race([Promise.all(this.#checks).then(() => true), this.invalidated.then(() => false)]);
  }

  async byId(from: CollectionName, id: string, workspaceId?: string): Promise<Doc | null> {
    if (from === 'users') return this.#user(id);
    const query = queryById(from, id, workspaceId);
    if (from !== 'boards') return only(await this.query(query));
    return this.#cachedAnswer(`board ${workspaceId ?? ''} ${id}`, query, only);
  }

  async byValue(from: CollectionName, field: string, value: string, workspaceId?: string): Promise<Doc | null> {
    const query = queryByValue(from, field, value, workspaceId);
    return isCredential(from, field) ? this.#credential(from, value, query) : only(await this.query(query));
  }

  async space(workspaceId: string): Promise<WorkspaceState | null> {
    return this.#cachedAnswer(`space ${workspaceId}`, queryById('locks', workspaceId), ([doc]) => {
      const space = toWorkspaceState(doc ?? null);
      // The rest changes with every task.
      return space === null ? null : { ...space, nums: EMPTY_STATE.nums, tally: EMPTY_STATE.tally };
    });
  }

  async counters(workspaceId: string): Promise<Pick<WorkspaceState, 'nums' | 'tally'>> {
    return toWorkspaceState(await this.byId('locks', workspaceId)) ?? EMPTY_STATE;
  }

  lockUsersForRead(): void {
    // A snapshot depends on nothing that comes later.
  }

  async lockExclusive(): Promise<void> {
    // Nor does it exclude anyone.
  }

  lockUserForChange = onlyReads;
  insert = onlyReads;
  replace = onlyReads;
  remove = onlyReads;
  other = onlyReads;
  setWorkspaceState = onlyReads;

  async end(): Promise<void> {
    this.#over = true;
    if (!this.#isInvalidated) await this.#batch.idle();
    await this.#session.endSession();
  }

  async #user(id: string): Promise<Doc | null> {
    const here = this.#users.get(id);
    if (here !== undefined) return here;
    const known = this.#assuming ? this.#userCache.user(id) : undefined;
    if (known !== undefined) return this.#assumeUser(known, known.user);
    const [found] = await this.query({ ...queryById('users', id), stagesAfter: [withUserVersion('$_id')] });
    if (found === undefined) return null;
    const { versions, ...user } = found;
    this.#learn({ user, version: userVersionIn(versions as Doc[]) });
    return user;
  }

  /** Its user comes along. */
  async #credential(from: CollectionName, value: string, query: Query): Promise<Doc | null> {
    const known = this.#assuming ? this.#userCache.shown(from, value) : undefined;
    if (known !== undefined) return this.#assumeUser(known.person, known.credential);
    const [found] = await this.query({ ...query, stagesAfter: [WITH_USER, withUserVersion('$userId')] });
    if (found === undefined) return null;
    const { users, versions, ...credential } = found;
    const version = userVersionIn(versions as Doc[]);
    const [user] = users as Doc[];
    if (user !== undefined) this.#learn({ user, version });
    this.#userCache.learnCredential(from, credential, version);
    return credential;
  }

  #learn(person: CachedUser): void {
    this.#users.set(person.user._id, person.user);
    this.#userCache.learn(person);
  }

  /** Goes on with what is known of a user, if nothing of them has changed. */
  #assumeUser({ user, version }: CachedUser, known: Doc): Doc {
    const { _id: userId } = user;
    if (!this.#users.has(userId)) {
      this.#users.set(userId, user);
      this.#assume(queryUserVersion(userId), (answer) => {
        const right = userVersionIn(answer) === version;
        if (!right) this.#userCache.forget(userId);
        return right;
      });
    }
    return known;
  }

  /** What is asked for; as it was the last time, if that is known and is still so. */
  async #cachedAnswer<T extends object>(
    question: string,
    query: Query,
    read: (answer: readonly Doc[]) => T | null,
  ): Promise<T | null> {
    const before = this.#assuming ? this.#answerCache.get(question) : undefined;
    const validate = (answer: readonly Doc[]): boolean => {
      const now = this.#answerCache.learn(question, read(answer));
      return before === undefined || before.text === now;
    };
    if (before !== undefined) {
      this.#assume(query, validate);
      return before.value as T;
    }
    this.#validators.set(query, validate);
    return read(await this.query(query));
  }

  /** Asks for what the read goes on without. */
  #assume(query: Query, validate: (answer: readonly Doc[]) => boolean): void {
    this.#validators.set(query, validate);
    const asking = this.query(query);
    this.#checks.push(asking);
    asking.catch(() => undefined);
  }

  #validate(queries: readonly Query[], answers: readonly (readonly Doc[])[]): boolean {
    let right = true;
    for (const [i, query] of queries.entries()) {
      if (this.#validators.get(query)?.(answers[i] ?? []) === false) right = false;
    }
    this.#answered ||= right;
    return right;
  }
}

const WITH_USER = { $lookup: { from: 'users', localField: 'userId', foreignField: '_id', as: 'users' } };

function only([doc]: readonly Doc[]): Doc | null {
  return doc ?? null;
}

async function runAll(db: Db, session: ClientSession, queries: readonly Query[], unions: boolean) {
  if (unions && queries.length > 1) return runCombined(db, session, queries);
  const answers: (readonly Doc[])[] = [];
  for (const query of queries) answers.push(await runQuery(db, session, query, unions));
  return answers;
}

/** The types of a read leave no way to it. */
async function onlyReads(): Promise<never> {
  throw new Error('A read does not write.');
}
