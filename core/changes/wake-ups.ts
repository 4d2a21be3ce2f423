import { slicesOf } from '../kernel/slices.ts';
import { REVOCATIONS_ID } from '../model/user/revocations.ts';
import type { Token } from '../model/user/token.ts';
import type { Store, Transaction } from '../ports/store.ts';
import type { Timers } from '../ports/timers.ts';
import { takeWrittenIds } from '../write/journal/written-ids.ts';
import { addToSet } from '../kernel/group.ts';

/** How often the logs are read for writes of other processes, in milliseconds. */
const POLLED_EVERY = 250;
/** The number of polls for each check for revoked tokens and disabled users: once a second. */
const POLLS_PER_CHECK = 4;
/** The most logs, or users, that one transaction reads. */
const BATCH = 100;

/** A reader who waits for changes of a workspace. */
export class ChangeListener {
  /** Up to where the reader knows the log; null: not known yet. */
  offset: number | null = null;
  /** The stored token by which they read; null: none. */
  readonly tokenId: string | null;
  #isWoken = false;
  #resolve: (() => void) | null = null;

  constructor(tokenId: string | null) {
    this.tokenId = tokenId;
  }

  /** Whether it was woken since the last `reset`. */
  get isWoken(): boolean {
    return this.#isWoken;
  }

  /** Ends the reader's wait. */
  wake(): void {
    this.#isWoken = true;
    this.#resolve?.();
  }

  /** To be called before a read, which sees everything that it was woken for so far. */
  reset(): void {
    this.#isWoken = false;
  }

  /** Resolves when it was woken since the last `reset`. */
  woken(): Promise<void> {
    if (this.#isWoken) return Promise.resolve();
    return new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }
}

type ByListened = Map<string, Set<ChangeListener>>;

/** Called with the ids of the workspaces and users that a commit has changed. */
export type CommitObserver = (ids: readonly string[]) => void;

/** Called with whether anybody listens. */
type ListeningObserver = (hasListeners: boolean) => void;

/**
 * Wakes readers who wait for changes: after each commit of this process that wrote into the log of their workspace, or
 * changed their user or tokens; and for writes of other processes, when one of them tells of it, when the end of the log
 * has moved, and when their token was revoked or their user disabled. Their next read decides what they may see. One for
 * all engines of a process on a store.
 */
export class WakeUps {
  readonly #store: Store;
  readonly #timers: Timers | undefined;
  readonly #workspaces: ByListened = new Map();
  readonly #users: ByListened = new Map();
  /** The end of the log, of workspaces whose listeners all know it. */
  readonly #known = new Map<string, number>();
  #isPolling = false;
  #polls = 0;
  /** The number of revocations when users and tokens were last checked; null: never. */
  #revocations: number | null = null;
  #cancelPoll: () => void = () => undefined;
  readonly #observers = new Set<CommitObserver>();
  readonly #listeningObservers = new Set<ListeningObserver>();
  #isClosed = false;

  /** @param timers absent: writes of other processes are not noticed */
  constructor(store: Store, timers?: Timers) {
    this.#store = store;
    this.#timers = timers;
  }

  /** Whether waiting has ended, as before the store is closed. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Whether anybody listens. */
  get hasListeners(): boolean {
    return this.#workspaces.size > 0;
  }

  /** Begins to listen. `stopListening` has to follow. */
  listen(workspaceId: string, userId: string | null, tokenId: string | null = null): ChangeListener {
    const listener = new ChangeListener(tokenId);
    const isFirst = !this.hasListeners;
    addToSet(this.#workspaces, workspaceId, listener);
    this.#known.delete(workspaceId);
    if (userId !== null) addToSet(this.#users, userId, listener);
    if (isFirst) this.#tellListening();
    this.#pollLater();
    return listener;
  }

  /** Ends what `listen` began. */
  stopListening(listener: ChangeListener, workspaceId: string, userId: string | null): void {
    remove(this.#workspaces, workspaceId, listener);
    if (!this.#workspaces.has(workspaceId)) this.#known.delete(workspaceId);
    if (userId !== null) remove(this.#users, userId, listener);
    if (!this.hasListeners) this.#tellListening();
  }

  /** The store, whose commits wake those who wait. */
  observe(store: Store): Store {
    return {
      read: (work) => store.read(work),
      write: async (work) => {
        let last: Transaction | undefined;
        const result = await store.write((tx) => {
          last = tx;
          return work(tx);
        });
        if (last !== undefined) this.#committed(takeWrittenIds(last));
        return result;
      },
      ...(store.keepChanges === undefined ? {} : { keepChanges: store.keepChanges }),
      ready: () => store.ready(),
      close: () => store.close(),
    };
  }

  /** Ends all waits; later ones end at once. */
  close(): void {
    this.#isClosed = true;
    this.#cancelPoll();
    this.wake([...this.#workspaces.keys()]);
  }

  /** Calls an observer after each commit of this process from now on. @returns a function that ends it */
  onCommit(observer: CommitObserver): () => void {
    this.#observers.add(observer);
    return () => void this.#observers.delete(observer);
  }

  /** Calls an observer when the first begins to listen, and when the last one ends. @returns a function that ends it */
  onListening(observer: ListeningObserver): () => void {
    this.#listeningObservers.add(observer);
    return () => void this.#listeningObservers.delete(observer);
  }

  #tellListening(): void {
    for (const observer of this.#listeningObservers) observer(this.hasListeners);
  }

  #committed(ids: readonly string[]): void {
    if (ids.length === 0) return;
    this.wake(ids);
    for (const observer of this.#observers) observer(ids);
  }

  /** Wakes those who wait for changes of these workspaces or users: another process has committed some. */
  wake(ids: readonly string[]): void {
    for (const id of ids) {
      for (const listeners of [this.#workspaces.get(id), this.#users.get(id)]) {
        for (const listener of listeners ?? []) listener.wake();
      }
    }
  }

  #pollLater(): void {
    if (!this.hasListeners) this.#revocations = null;
    if (this.#isPolling || this.#isClosed || !this.hasListeners || this.#timers === undefined) return;
    this.#isPolling = true;
    this.#cancelPoll = this.#timers.after(POLLED_EVERY, () => void this.#poll());
  }

  /** O(workspaces that have listeners, and listeners of those written in); O(users and tokens) in addition where any was revoked. */
  async #poll(): Promise<void> {
    try {
      await this.#inBatches([...this.#workspaces.keys()], (ids) => this.#checkLogs(ids));
      this.#polls += 1;
      if (this.#polls % POLLS_PER_CHECK === 0) await this.#checkRevocations();
    } catch {
      // The store is out of reach: readers get the error from their own reads.
    } finally {
      this.#isPolling = false;
      this.#pollLater();
    }
  }

  async #checkRevocations(): Promise<void> {
    const count = await this.#store.read(async (tx) => (await tx.revocations.get(REVOCATIONS_ID))?.count ?? 0);
    if (count === this.#revocations) return;
    await this.#inBatches([...this.#users.keys()], (ids) => this.#checkUsers(ids));
    this.#revocations = count;
  }

  /** In batches, so that other work runs in between. */
  async #inBatches(ids: readonly string[], work: (ids: readonly string[]) => Promise<void>): Promise<void> {
    for (const some of slicesOf(ids, BATCH)) {
      if (this.#isClosed) return;
      await work(some);
    }
  }

  /** Wakes those whose next read is refused. */
  async #checkUsers(ids: readonly string[]): Promise<void> {
    const listeners = ids.flatMap((id) => [...(this.#users.get(id) ?? [])]);
    const tokenIds = [...new Set(listeners.map(({ tokenId }) => tokenId).filter((id) => id !== null))];
    const [users, tokens] = await this.#store.read((tx) =>
      Promise.all([tx.users.many(ids), tokenIds.length === 0 ? new Map<string, Token>() : tx.tokens.many(tokenIds)]),
    );
    for (const id of ids) {
      const mayRead = users.get(id)?.disabled === false;
      for (const listener of this.#users.get(id) ?? []) {
        const { tokenId } = listener;
        if (!mayRead || (tokenId !== null && !tokens.has(tokenId))) listener.wake();
      }
    }
  }

  async #checkLogs(ids: readonly string[]): Promise<void> {
    const heads = await this.#store.read((tx) => Promise.all(ids.map((id) => tx.changeLog.head(id))));
    for (const [i, id] of ids.entries()) {
      const { last } = heads[i]!;
      if (this.#known.get(id) !== last && this.#wakeThoseBehind(id, last)) this.#known.set(id, last);
    }
  }

  /** @returns whether all listeners of the workspace know its log up to this end */
  #wakeThoseBehind(workspaceId: string, end: number): boolean {
    const listeners = this.#workspaces.get(workspaceId);
    let isKnown = listeners !== undefined;
    for (const listener of listeners ?? []) {
      if (listener.offset === end) continue;
      isKnown = false;
      if (listener.offset !== null) listener.wake();
    }
    return isKnown;
  }
}

function remove(listeners: ByListened, id: string, listener: ChangeListener): void {
  const known = listeners.get(id);
  known?.delete(listener);
  if (known?.size === 0) listeners.delete(id);
}
