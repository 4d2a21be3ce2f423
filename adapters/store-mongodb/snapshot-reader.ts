import type { ClientSession } from 'mongodb';
import {
  boardKey,
  isCredential,
  weightOfBoard,
  type StoreCaches,
  type VersionedValue,
  type VersionedCache,
} from './caches.ts';
import { StaleAssumption } from './connection/errors.ts';
import {
  type DocumentReader,
  type CountsByBoard,
  EMPTY_STATE,
  toWorkspaceState,
  type WorkspaceCounters,
  type StructureState,
} from './query/documents.ts';
import { type Doc, type Query, queryById } from './query/query.ts';
import { QueryBatch, type QueryResult, type QueryScope, runQueries } from './query/run-query.ts';
import { countsIn, queryCounts } from './task/status-counts.ts';
import { queryUserVersion, userVersionIn } from './write/locks.ts';

/**
 * Reads outside a transaction, all from one snapshot: the first answer fixes its time, and the session keeps it.
 * Queries of one turn of the event loop cost one round trip.
 *
 * States: *assuming* until the first queries are sent: cached values are returned at once, and a query for the number
 * that validates them is sent with those queries. *Reading* from then on. *Invalidated* when such a number has changed:
 * then every query throws a `StaleAssumption`, and the read must run again without assumptions.
 *
 * Invariants: no answer of a command is returned before all assumptions that the command validates have held. The
 * result of the read counts only after `validated`. So no unvalidated cached value is ever served.
 */
export class SnapshotReader implements DocumentReader {
  readonly transactionCache = new Map<string, unknown>();
  readonly #batch: QueryBatch;
  readonly #session: ClientSession;
  readonly #caches: StoreCaches;
  /** Users and workspaces that this read has seen, or assumed. */
  readonly #users = new Map<string, Doc>();
  readonly #states = new Map<string, StructureState>();
  /** By the queries that validate an assumption: whether it holds by their answer. */
  readonly #validators = new Map<Query, (answer: QueryResult) => boolean>();
  readonly #validations: Promise<unknown>[] = [];
  /** Whether an answer of the database was returned. */
  answered = false;
  /** Whether an assumption was wrong. The result of the read then does not count. */
  invalidated = false;
  #assuming: boolean;
  #ended = false;

  /** @param assuming whether to rely on cached values until the first answer */
  constructor(scope: QueryScope, caches: StoreCaches, assuming: boolean) {
    this.#session = scope.session;
    this.#caches = caches;
    this.#assuming = assuming;
    this.#batch = new QueryBatch(async (queries) => {
      if (this.#ended) throw new Error('The read is over.');
      this.#requireValid();
      this.#assuming = false;
      const answers = await runQueries(scope, queries);
      for (const [i, query] of queries.entries()) {
        if (this.#validators.get(query)?.(answers[i] ?? []) === false) this.invalidated = true;
      }
      this.#requireValid();
      this.answered = true;
      return answers;
    });
  }

  /** Resolves when all assumptions are validated. @throws StaleAssumption when one was wrong */
  async validated(): Promise<void> {
    await Promise.all(this.#validations);
    this.#requireValid();
  }

  async end(): Promise<void> {
    this.#ended = true;
    await this.#batch.idle();
    await this.#session.endSession();
  }

  query(query: Query): Promise<QueryResult> {
    return this.#batch.query(query);
  }

  async one(query: Query): Promise<Doc | null> {
    const { from, workspaceId, one } = query;
    const id = one !== undefined && 'id' in one ? one.id : undefined;
    if (isCredential(query)) return this.#assumed(query) ?? this.#credential(query);
    if (from === 'users' && id !== undefined)
      return this.#users.get(id) ?? this.#assumed(query) ?? this.#user(id, query);
    const state = workspaceId === undefined ? undefined : this.#states.get(workspaceId);
    if (from !== 'boards' || id === undefined || state === undefined) return first(await this.query(query));
    const key = boardKey(workspaceId!, state, id);
    return this.#cached(this.#caches.boards, key, query, (doc) => {
      return { value: doc, version: doc['version'] as number, weight: weightOfBoard(doc) };
    });
  }

  async workspaceState(workspaceId: string): Promise<StructureState> {
    const here = this.#states.get(workspaceId);
    if (here !== undefined) return here;
    const query = queryById('locks', workspaceId);
    const found = this.#cached(this.#caches.states, workspaceId, query, (doc) => {
      const value = toWorkspaceState(doc);
      return { value, version: value.revision };
    });
    // An assumed state is not awaited, so that queries of the same turn can use it.
    const state = (found instanceof Promise ? await found : found) ?? EMPTY_STATE;
    this.#states.set(workspaceId, state);
    return state;
  }

  async counters(workspaceId: string): Promise<WorkspaceCounters> {
    return toWorkspaceState(first(await this.query(queryById('locks', workspaceId))));
  }

  async statusCounts(workspaceId: string, boardIds: readonly string[] | null): Promise<CountsByBoard> {
    return countsIn(await this.query(queryCounts(workspaceId, boardIds)));
  }

  async lock(): Promise<void> {
    // Nothing to lock: a snapshot does not change.
  }

  /** A value derived from one document: the cached one, to be validated, or else that of the query. */
  #cached<V>(
    cache: VersionedCache<V>,
    key: string,
    query: Query,
    valueOf: (doc: Doc) => VersionedValue<V> & { readonly weight?: number },
  ): V | null | Promise<V | null> {
    const seen = ([doc]: QueryResult): VersionedValue<V> | null => {
      if (doc === undefined) {
        cache.delete(key);
        return null;
      }
      const found = valueOf(doc);
      cache.set(key, found.version, found.value, found.weight);
      return found;
    };
    const cached = this.#assuming ? cache.latest(key) : undefined;
    if (cached === undefined) return this.query(query).then((answer) => seen(answer)?.value ?? null);
    this.#assume(query, (answer) => seen(answer)?.version === cached.version);
    return cached.value;
  }

  #assume(query: Query, holds: (answer: QueryResult) => boolean): void {
    this.#validators.set(query, holds);
    const validation = this.query(query);
    validation.catch(() => undefined);
    this.#validations.push(validation);
  }

  #requireValid(): void {
    if (this.invalidated) throw new StaleAssumption();
  }

  /** A cached user, token or identity, to be validated. */
  #assumed(query: Query): Doc | undefined {
    const cached = this.#assuming ? this.#caches.users.find(query) : undefined;
    if (cached === undefined) return undefined;
    const { value: user, version } = cached.user;
    if (this.#users.has(user._id)) return cached.doc;
    this.#users.set(user._id, user);
    this.#assume(queryUserVersion(user._id), (answer) => {
      const holds = userVersionIn(answer) === version;
      if (!holds) this.#caches.users.delete(user._id);
      return holds;
    });
    return cached.doc;
  }

  async #user(id: string, query: Query): Promise<Doc | null> {
    const [[user], version] = await Promise.all([this.query(query), this.#userVersion(id)]);
    if (user === undefined) return null;
    this.#users.set(id, user);
    this.#caches.users.add({ value: user, version });
    return user;
  }

  /** A token or identity. */
  async #credential(query: Query): Promise<Doc | null> {
    const [found] = await this.query(query);
    if (found === undefined) return null;
    // The query for the version is sent with the next queries, so the caller does not wait for it.
    this.#userVersion(found['userId'] as string).then(
      (version) => this.#caches.users.addCredential(query.from, found, version),
      () => undefined,
    );
    return found;
  }

  async #userVersion(id: string): Promise<number> {
    return userVersionIn(await this.query(queryUserVersion(id)));
  }
}

function first([doc]: QueryResult): Doc | null {
  return doc ?? null;
}
