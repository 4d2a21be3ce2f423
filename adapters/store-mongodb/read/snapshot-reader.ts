import type { ClientSession } from 'mongodb';
import { boardKey, type StoreCaches } from '../cache/store-caches.ts';
import { type CachedUser, isCredential } from '../cache/user-cache.ts';
import type { DocumentCollection } from '../connection/collections.ts';
import { runCombined } from '../query/run-query.ts';
import type { DocumentWriter, TransactionCache } from '../query/document-writer.ts';
import { type Doc, type Query, queryById, queryByValue } from '../query/query.ts';
import { QueryBatch } from '../query/query-batch.ts';
import { runQuery, type QueryScope } from '../query/run-query.ts';
import {
  EMPTY_STATE,
  NO_COUNTERS,
  toWorkspaceState,
  type WorkspaceCounters,
  type WorkspaceState,
} from '../structure/workspace-state.ts';
import { queryUserVersion, userVersionIn, withUserVersion } from '../write/lock-documents.ts';
import { countsIn, queryCounts, type StatusCounts } from '../task/status-counts.ts';
import { Assumptions } from './assumptions.ts';

/**
 * Reads outside a transaction, all from one snapshot: the first answer fixes its time, and the session keeps it.
 * Queries of one turn of the event loop cost one round trip.
 *
 * States: *assuming* until the first queries are sent: what is cached is given out at once, and a query for the number
 * it is valid by goes with those queries. *Reading* from then on. *Invalidated* when such a number is another: then
 * every query ends with a `StaleAssumption`, and the read has to run again without assumptions.
 *
 * Invariants: no answer of a command is given out before all assumptions that the command validates have held. What
 * came of the read counts only after `validated`. So nothing is ever served from memory.
 */
export class SnapshotReader implements DocumentWriter {
  readonly writing = false;
  readonly transactionCache: TransactionCache = { get: () => undefined, set: () => undefined };
  readonly #batch: QueryBatch;
  readonly #session: ClientSession;
  readonly #caches: StoreCaches;
  /** Users and workspaces that this read has seen, or assumed. */
  readonly #users = new Map<string, Doc>();
  readonly #states = new Map<string, WorkspaceState>();
  readonly #assumptions = new Assumptions();
  #assuming: boolean;
  #answered = false;
  #ended = false;

  /** @param assuming whether to go on with what is cached until the first answer */
  constructor(scope: QueryScope, unions: boolean, caches: StoreCaches, assuming: boolean) {
    this.#session = scope.session;
    this.#caches = caches;
    this.#assuming = assuming;
    this.#batch = new QueryBatch(async (queries) => {
      if (this.#ended) throw new Error('The read is over.');
      this.#assumptions.validate();
      this.#assuming = false;
      const answers = await runAll(scope, queries, unions);
      this.#assumptions.validate(queries, answers);
      this.#answered = true;
      return answers;
    });
  }

  /** Whether an answer was given that is certain. */
  get answered(): boolean {
    return this.#answered;
  }

  /** Whether an assumption was wrong. Whatever came of the read does not count. */
  get invalidated(): boolean {
    return this.#assumptions.invalidated;
  }

  /** Resolves when all assumptions are validated. @throws StaleAssumption when one was wrong */
  validated(): Promise<void> {
    return this.#assumptions.settled();
  }

  async end(): Promise<void> {
    this.#ended = true;
    await this.#batch.idle();
    await this.#session.endSession();
  }

  query(query: Query): Promise<readonly Doc[]> {
    return this.#batch.query(query);
  }

  async byId(from: DocumentCollection, id: string, workspaceId?: string): Promise<Doc | null> {
    if (from === 'users') return this.#user(id);
    if (from === 'boards' && workspaceId !== undefined) return this.#board(workspaceId, id);
    return first(await this.query(queryById(from, id, workspaceId)));
  }

  async byValue(from: DocumentCollection, field: string, value: string, workspaceId?: string): Promise<Doc | null> {
    const query = queryByValue(from, field, value, workspaceId);
    return isCredential(from, field) ? this.#credential(from, value, query) : first(await this.query(query));
  }

  async workspaceState(workspaceId: string): Promise<WorkspaceState | null> {
    const here = this.#states.get(workspaceId);
    if (here !== undefined) return here;
    const { states } = this.#caches;
    const query = queryById('locks', workspaceId);
    const cached = this.#assuming ? states.latest(workspaceId) : undefined;
    const seen = (answer: readonly Doc[]): WorkspaceState | null => {
      const state = toWorkspaceState(first(answer));
      if (state === null) states.delete(workspaceId);
      // The counters change without the revision.
      else states.set(workspaceId, state.revision, { ...state, ...NO_COUNTERS });
      return state;
    };
    if (cached !== undefined)
      this.#assumptions.add(query, this.query(query), (answer) => seen(answer)?.revision === cached.version);
    const state = cached === undefined ? seen(await this.query(query)) : cached.value;
    if (state !== null) this.#states.set(workspaceId, state);
    return state;
  }

  async counters(workspaceId: string): Promise<WorkspaceCounters> {
    return toWorkspaceState(await this.byId('locks', workspaceId)) ?? EMPTY_STATE;
  }

  async statusCounts(workspaceId: string, boardIds: readonly string[] | null): Promise<StatusCounts> {
    return countsIn(await this.query(queryCounts(workspaceId, boardIds)));
  }

  lockUsersForRead(): void {
    // A snapshot does not change.
  }

  async lockExclusive(): Promise<void> {
    // Nor does it keep others from anything.
  }

  lockUserForChange = onlyReads;
  insert = onlyReads;
  replace = onlyReads;
  remove = onlyReads;
  writeUnindexed = onlyReads;
  setWorkspaceState = onlyReads;
  changeCount = onlyReads;

  async #board(workspaceId: string, id: string): Promise<Doc | null> {
    const { boards } = this.#caches;
    const query = queryById('boards', id, workspaceId);
    const state = this.#states.get(workspaceId);
    if (state === undefined) return first(await this.query(query));
    const key = boardKey(workspaceId, state, id);
    const cached = this.#assuming ? boards.latest(key) : undefined;
    const seen = (answer: readonly Doc[]): Doc | null => {
      const board = first(answer);
      if (board === null) boards.delete(key);
      else boards.set(key, board['version'] as number, board);
      return board;
    };
    if (cached === undefined) return seen(await this.query(query));
    this.#assumptions.add(query, this.query(query), (answer) => seen(answer)?.['version'] === cached.version);
    return cached.value;
  }

  async #user(id: string): Promise<Doc | null> {
    const here = this.#users.get(id);
    if (here !== undefined) return here;
    const cached = this.#assuming ? this.#caches.users.user(id) : undefined;
    if (cached !== undefined) return this.#assumeUser(cached, cached.user);
    const [found] = await this.query({ ...queryById('users', id), stagesAfter: [withUserVersion('$_id')] });
    if (found === undefined) return null;
    const { versions, ...user } = found;
    this.#addUser({ user, version: userVersionIn(versions as Doc[]) });
    return user;
  }

  /** A token or identity. Its user comes along. */
  async #credential(from: DocumentCollection, value: string, query: Query): Promise<Doc | null> {
    const cached = this.#assuming ? this.#caches.users.credential(from, value) : undefined;
    if (cached !== undefined) return this.#assumeUser(cached.user, cached.credential);
    const [found] = await this.query({ ...query, stagesAfter: [WITH_USER, withUserVersion('$userId')] });
    if (found === undefined) return null;
    const { users, versions, ...credential } = found;
    const version = userVersionIn(versions as Doc[]);
    const user = first(users as Doc[]);
    if (user !== null) this.#addUser({ user, version });
    this.#caches.users.addCredential(from, credential, version);
    return credential;
  }

  #addUser(user: CachedUser): void {
    this.#users.set(user.user._id, user.user);
    this.#caches.users.add(user);
  }

  /** @param doc the user, or a credential that is valid as long as the user */
  #assumeUser({ user, version }: CachedUser, doc: Doc): Doc {
    const { _id: userId } = user;
    if (this.#users.has(userId)) return doc;
    this.#users.set(userId, user);
    const query = queryUserVersion(userId);
    this.#assumptions.add(query, this.query(query), (answer) => {
      const holds = userVersionIn(answer) === version;
      if (!holds) this.#caches.users.delete(userId);
      return holds;
    });
    return doc;
  }
}

const WITH_USER = { $lookup: { from: 'users', localField: 'userId', foreignField: '_id', as: 'users' } };

function first([doc]: readonly Doc[]): Doc | null {
  return doc ?? null;
}

async function runAll(scope: QueryScope, queries: readonly Query[], unions: boolean) {
  if (unions && queries.length > 1) return runCombined(scope, queries);
  const answers: (readonly Doc[])[] = [];
  for (const query of queries) answers.push(await runQuery(scope, query, unions));
  return answers;
}

/** The types of a read leave no way here. */
async function onlyReads(): Promise<never> {
  throw new Error('A read does not write.');
}
