import { setTimeout } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Db } from 'mongodb';
import { hashOf } from '../../../core/kernel/hash.ts';
import type { CachedUser, UserCache } from '../caches.ts';
import type { DocumentCollection } from '../connection/collections.ts';
import { EMPTY_STATE, toWorkspaceState, type WorkspaceState } from '../query/documents.ts';
import { type Doc, type Query, queryById, upsert, type BulkWrite } from '../query/query.ts';
import type { QueryScope } from '../query/run-query.ts';
import type { WriterMap, WriterLayers } from './identity-map.ts';

/** How long the holder of a lock pauses for a process that waits for it, in ms. */
const PAUSE = 8;
/** How long a waiting process stays at the lock document before it tries its transaction again, in ms. */
const LONGEST_WAIT = 500;
const MAX_WORKSPACES = 1_000;

/** A workspace as it was when the transaction locked it. */
interface LockedWorkspace {
  readonly state: WorkspaceState;
  /** `seq` of the lock document as the transaction leaves it; null where there was none. */
  readonly seq: number | null;
}

/**
 * The workspaces that one transaction has locked, with their states as it changes them. A lock raises `seq` of the lock
 * document before anything else is read of the workspace: from there on no other transaction of it can commit.
 */
export class WorkspaceLocks {
  readonly #scope: QueryScope;
  readonly #handoff: LockHandoff;
  readonly #locked = new Map<string, LockedWorkspace>();
  readonly #changed: WriterMap<WorkspaceState>;

  constructor(scope: QueryScope, handoff: LockHandoff, layers: WriterLayers) {
    this.#changed = layers.map();
    this.#scope = scope;
    this.#handoff = handoff;
  }

  /** The first workspace that was locked, which the transaction is about. */
  get first(): string | undefined {
    return this.#locked.keys().next().value;
  }

  /** The workspace with its `seq`, if no other is locked. */
  get only(): { readonly workspaceId: string; readonly seq: number } | null {
    const [first, ...others] = this.#locked;
    if (first === undefined || others.length > 0 || first[1].seq === null) return null;
    return { workspaceId: first[0], seq: first[1].seq };
  }

  has(workspaceId: string): boolean {
    return this.#locked.has(workspaceId);
  }

  /** @returns `seq` as it was before; null where there was no lock document */
  async lock(workspaceId: string): Promise<number | null> {
    const { db, session } = this.#scope;
    const options = { session, returnDocument: 'after' } as const;
    const locks = db.collection<Doc>('locks');
    const doc = await locks.findOneAndUpdate({ _id: { $eq: workspaceId } }, { $inc: { seq: 1 } }, options);
    const seq = (doc?.['seq'] as number | undefined) ?? null;
    this.#locked.set(workspaceId, { state: toWorkspaceState(doc), seq });
    this.#handoff.observeWaiters(workspaceId, (doc?.['waiters'] as number | undefined) ?? 0);
    return seq === null ? null : seq - 1;
  }

  state(workspaceId: string): WorkspaceState {
    return this.#changed.get(workspaceId) ?? this.#locked.get(workspaceId)?.state ?? EMPTY_STATE;
  }

  /** The revision of a workspace when it was locked, which the database has until this transaction is committed. */
  revisionBefore(workspaceId: string): number | undefined {
    return this.#locked.get(workspaceId)?.state.revision;
  }

  change(workspaceId: string, fields: Partial<WorkspaceState>): void {
    this.#changed.set(workspaceId, { ...this.state(workspaceId), ...fields });
  }

  /** Makes the transaction create a missing lock document, so that others conflict with it. */
  ensure(workspaceId: string): void {
    const isStored = this.#locked.get(workspaceId)?.seq != null;
    if (!isStored && !this.#changed.has(workspaceId)) this.change(workspaceId, {});
  }

  writes(): BulkWrite[] {
    return [...this.#changed.entries()].map(([id, state]) => {
      const seq = this.#locked.get(id)?.seq ?? null;
      return upsert(id, { $set: { ...state }, $inc: { seq: seq === null ? 1 : 0 } });
    });
  }
}

/**
 * Fair hand-off of the lock of a workspace between processes. A process that hits a write conflict increments
 * `waiters` in the lock document, which the server lets through when the transaction that holds it ends. The
 * holder sees the number rise, and pauses before its next transaction.
 */
export class LockHandoff {
  readonly #db: Db;
  /** `waiters` of a workspace, as this process has left or read it last. */
  readonly #known = new LRUCache<string, number>({ max: MAX_WORKSPACES });
  /** Workspaces that another process waits for. */
  readonly #awaited = new Set<string>();

  constructor(db: Db) {
    this.#db = db;
  }

  /** Resolves when the workspace may be free. */
  async announceWaiter(workspaceId: string): Promise<void> {
    const locks = this.#db.collection<Doc>('locks');
    const options = { writeConcern: { w: 1 }, maxTimeMS: LONGEST_WAIT };
    try {
      await locks.updateOne({ _id: { $eq: workspaceId } }, { $inc: { waiters: 1 } }, options);
      this.#known.set(workspaceId, (this.#known.get(workspaceId) ?? 0) + 1);
    } catch {
      // Ignored: the next attempt of the transaction gets the same error, and reports it.
    }
  }

  /** @param waiters as read from the lock document by a transaction that holds it */
  observeWaiters(workspaceId: string, waiters: number): void {
    if (waiters > (this.#known.get(workspaceId) ?? 0)) this.#awaited.add(workspaceId);
    this.#known.set(workspaceId, waiters);
  }

  /** Pauses when another process waits for the workspace. */
  async yieldToWaiters(workspaceId: string): Promise<void> {
    if (this.#awaited.delete(workspaceId)) await setTimeout(PAUSE);
  }
}

/**
 * The lock documents of users, eight stripes for each. A transaction that reads a user writes to one stripe, one that
 * changes the user writes to all of them: so readers conflict with a change, and hardly ever with each other.
 *
 * A change also raises `version` in all stripes. That number is the user's version: a cached user, with their tokens
 * and identities, is valid while it is the same. 0: nothing of the user was ever changed.
 */
const STRIPES = 8;
/** A transaction that reads more users than this locks all users there are. */
const MAX_READ_LOCKS = 16;
const ALL_USERS = '*';

/**
 * The users that one transaction relies on. Each is in one of two states: *read* in this transaction, or *assumed* as it
 * was cached; an assumed one is validated by the lock that the transaction writes at its end.
 */
export class UserLocks {
  readonly #cache: UserCache;
  readonly #read = new Map<string, CachedUser>();
  readonly #credentials: { readonly from: DocumentCollection; readonly credential: Doc }[] = [];
  /** The versions of users that are assumed. */
  readonly #assumed = new Map<string, number>();
  readonly #lockedForRead = new Set<string>();
  readonly #changed = new Set<string>();

  constructor(cache: UserCache) {
    this.#cache = cache;
  }

  /** @returns false, and does nothing, when this transaction knows another version of one of them */
  assume(users: readonly CachedUser[]): boolean {
    const fits = users.every(({ value: { _id: id }, version }) => {
      const here = this.#version(id);
      return !this.#changed.has(id) && (here === undefined || here === version);
    });
    if (!fits) return false;
    for (const { value: user, version } of users) if (!this.#read.has(user._id)) this.#assumed.set(user._id, version);
    return true;
  }

  /** The user, token or identity of a query, if it is cached and can be assumed. */
  cached(query: Query): Doc | undefined {
    const found = this.#cache.find(query);
    return found !== undefined && this.assume([found.user]) ? found.doc : undefined;
  }

  addRead(user: CachedUser): void {
    this.#read.set(user.value._id, user);
  }

  addCredential(from: DocumentCollection, credential: Doc): void {
    this.#credentials.push({ from, credential });
  }

  lockForRead(userIds: readonly string[]): void {
    for (const userId of userIds.length > MAX_READ_LOCKS ? [ALL_USERS] : userIds) this.#lockedForRead.add(userId);
  }

  lockForChange(userId: string): void {
    this.#changed.add(userId);
  }

  /** The locks that validate assumptions: if one matches no document, its assumption was wrong. */
  validations(workspaceId: string | undefined): BulkWrite[] {
    return [...this.#assumed].map(([userId, version]) => lockForReadAt(userId, version, workspaceId));
  }

  /** The other locks, which validate nothing. */
  writes(workspaceId: string | undefined): BulkWrite[] {
    const read = [...this.#lockedForRead].filter((userId) => !this.#assumed.has(userId));
    return [...read.map((userId) => lockForRead(userId, workspaceId)), ...[...this.#changed].flatMap(lockForChange)];
  }

  dropAssumed(): void {
    for (const userId of this.#assumed.keys()) this.#cache.delete(userId);
  }

  /** To be called after the commit. */
  fillCache(): void {
    for (const [userId, user] of this.#read) if (!this.#changed.has(userId)) this.#cache.add(user);
    for (const { from, credential } of this.#credentials) {
      const userId = credential['userId'] as string;
      const version = this.#version(userId);
      if (version !== undefined && !this.#changed.has(userId)) this.#cache.addCredential(from, credential, version);
    }
    for (const userId of this.#changed) this.#cache.delete(userId);
  }

  #version(userId: string): number | undefined {
    return this.#read.get(userId)?.version ?? this.#assumed.get(userId);
  }
}

export function queryUserVersion(userId: string): Query {
  return queryById('locks', nameOf(userId, 0));
}

/** The version in the answer to {@link queryUserVersion}. */
export function userVersionIn([doc]: readonly Doc[]): number {
  return (doc?.['version'] as number | undefined) ?? 0;
}

/** @param workspaceId of the transaction: those of one workspace exclude each other anyway, and share a stripe */
function lockForRead(userId: string, workspaceId: string | undefined): BulkWrite {
  return upsert(nameOf(userId, stripeFor(workspaceId)), { $inc: { seq: 1 } });
}

/** The same if the user has this version; else it matches nothing, or conflicts with the existing document. */
function lockForReadAt(userId: string, version: number, workspaceId: string | undefined): BulkWrite {
  const _id = nameOf(userId, stripeFor(workspaceId));
  const update = { $inc: { seq: 1 } };
  return version === 0
    ? { updateOne: { filter: { _id, version: { $exists: false } }, update, upsert: true } }
    : { updateOne: { filter: { _id, version }, update } };
}

function lockForChange(userId: string): BulkWrite[] {
  const stripes = Array.from({ length: STRIPES }, (_, stripe) => stripe);
  return [userId, ALL_USERS].flatMap((id) =>
    stripes.map((stripe) => upsert(nameOf(id, stripe), { $inc: { seq: 1, version: 1 } })),
  );
}

function nameOf(userId: string, stripe: number): string {
  return `user/${userId}/${stripe}`;
}

function stripeFor(workspaceId: string | undefined): number {
  if (workspaceId === undefined) return Math.floor(Math.random() * STRIPES);
  return hashOf(workspaceId) % STRIPES;
}
