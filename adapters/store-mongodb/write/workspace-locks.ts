import { setTimeout } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Db } from 'mongodb';
import { EMPTY_LOG, type LogHead } from '../../../core/ports/change-log.ts';
import { type Doc, upsert, type Write } from '../query/query.ts';
import type { QueryScope } from '../query/run-query.ts';
import type { LayeredMap, Layers } from './layers.ts';

/**
 * What the lock document of a workspace says of it. Every write transaction that reads or writes anything of a
 * workspace writes to that document. It outlives the workspace, so no revision is ever given twice.
 */
export interface WorkspaceState {
  /** Of the structure. 0: there never was one. */
  readonly revision: number;
  readonly exists: boolean;
  /** The first revision of the workspace: earlier ones are of another workspace with the same id. */
  readonly createdAtRevision: number;
  /** The last revision at which no unreachable page was stored. */
  readonly settledAtRevision: number;
  /** The largest running number that was given. */
  readonly lastNum: number;
  /** How many tasks are kept; null until they are counted for the first time. */
  readonly taskCount: number | null;
  /**
   * Up to which running number tasks are in the counts of statuses; {@link ALL_COUNTED}, or null where those counts do
   * not hold: a release that kept none has written in the workspace since.
   */
  readonly countedTo: number | null;
  /** See `StatusCounts` of the port. */
  readonly pageMoves: number;
  /** Of its change log. */
  readonly log: StoredLog;
}

export interface StoredLog extends LogHead {
  /** Changes up to this place are removed; absent: up to the floor. */
  readonly trimmed?: number;
}

/** Greater than every running number. */
export const ALL_COUNTED = Number.MAX_SAFE_INTEGER;

/** What changes with every write, and not with the revision. */
export type WorkspaceCounters = Pick<WorkspaceState, 'lastNum' | 'taskCount' | 'countedTo' | 'pageMoves' | 'log'>;
/** What changes with the revision alone. */
export type StructureState = Omit<WorkspaceState, keyof WorkspaceCounters>;

/** The state of a document in which the first version has written nothing. */
const UNSET: WorkspaceState = {
  revision: 0,
  exists: false,
  createdAtRevision: 0,
  settledAtRevision: 0,
  lastNum: 0,
  taskCount: null,
  countedTo: null,
  pageMoves: 0,
  log: EMPTY_LOG,
};

export const EMPTY_STATE: WorkspaceState = { ...UNSET, countedTo: ALL_COUNTED };

/** The stored names, where they differ: documents of the first version have them, and it may run beside this one. */
const STORED_NAMES: Partial<Record<string, string>> = {
  exists: 'open',
  createdAtRevision: 'born',
  settledAtRevision: 'settled',
  lastNum: 'nums',
  taskCount: 'tally',
};

const FIELDS = Object.entries(UNSET).map(([field, unset]) => [field, STORED_NAMES[field] ?? field, unset] as const);

/** @param doc the lock document; null: the workspace has none */
export function toWorkspaceState(doc: Doc | null): WorkspaceState {
  if (doc === null) return EMPTY_STATE;
  const state = Object.fromEntries(FIELDS.map(([field, stored, unset]) => [field, (doc[stored] as unknown) ?? unset]));
  // The first number is raised with every transaction, the second by releases that keep counts of statuses alone.
  if (doc['seq'] !== doc['countSeq']) state['countedTo'] = null;
  return state as unknown as WorkspaceState;
}

function storedState(state: WorkspaceState): Record<string, unknown> {
  return Object.fromEntries(FIELDS.map(([field, stored]) => [stored, state[field as keyof WorkspaceState]]));
}

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
 * The workspaces that one transaction has locked, and what it makes of their states. A lock raises `seq` of the lock
 * document before anything else is read of the workspace: from there on no other transaction of it can commit.
 */
export class WorkspaceLocks {
  readonly #scope: QueryScope;
  readonly #handoff: LockHandoff;
  readonly #locked = new Map<string, LockedWorkspace>();
  readonly #changed: LayeredMap<WorkspaceState>;

  constructor(scope: QueryScope, handoff: LockHandoff, layers: Layers) {
    this.#changed = layers.map();
    this.#scope = scope;
    this.#handoff = handoff;
  }

  /** The first workspace that was locked: the transaction is about it. */
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
    const doc = await locks.findOneAndUpdate({ _id: { $eq: workspaceId } }, { $inc: { seq: 1, countSeq: 1 } }, options);
    const seq = (doc?.['seq'] as number | undefined) ?? null;
    this.#locked.set(workspaceId, { state: toWorkspaceState(doc), seq });
    this.#handoff.observeWaiters(workspaceId, (doc?.['waiters'] as number | undefined) ?? 0);
    return seq === null ? null : seq - 1;
  }

  state(workspaceId: string): WorkspaceState {
    return this.#changed.get(workspaceId) ?? this.#locked.get(workspaceId)?.state ?? EMPTY_STATE;
  }

  change(workspaceId: string, fields: Partial<WorkspaceState>): void {
    this.#changed.set(workspaceId, { ...this.state(workspaceId), ...fields });
  }

  /** Has a lock document written where there was none, so that others conflict with this transaction. */
  ensure(workspaceId: string): void {
    const isStored = this.#locked.get(workspaceId)?.seq != null;
    if (!isStored && !this.#changed.has(workspaceId)) this.change(workspaceId, {});
  }

  writes(): Write[] {
    return [...this.#changed.entries()].map(([id, state]) => {
      const seq = this.#locked.get(id)?.seq ?? null;
      // Where the counts hold, both numbers are the same.
      const counted = state.countedTo === null ? {} : { countSeq: seq ?? 1 };
      return upsert(id, { $set: { ...storedState(state), ...counted }, $inc: { seq: seq === null ? 1 : 0 } });
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
      // The next attempt of the transaction meets the same trouble, and reports it.
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
