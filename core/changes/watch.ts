import { viewerOf } from '../access/viewer.ts';
import { EspalierError } from '../kernel/errors.ts';
import type { Context } from '../ports/context.ts';
import type { ReadTransaction } from '../ports/store.ts';
import { LONGEST_TIMER } from '../ports/timers.ts';
import type { ChangeEvent } from '../model/log/change-event.ts';
import { read } from '../write/transaction.ts';
import { cursorFrom, cursorText } from './cursor.ts';
import { readChanges, type ListChanges } from './list.ts';
import { seesTaskOf, ShownSlice } from './shown-slice.ts';
import type { ChangeRead, ChangeSlice } from './slice.ts';
import { inTurn } from './in-turn.ts';
import { type ChangeListener, WakeUps } from './wake-ups.ts';

/** What `changes.watch` takes. */
export interface WatchChanges extends Omit<ListChanges, 'since' | 'limit' | 'wait'> {
  /** The cursor to start after. Absent: now. */
  readonly since?: string;
}

/** The pause after a read that could not reach the store, in milliseconds. */
const RETRIED_AFTER = 1_000;

/**
 * Opens a stream of changes for the caller. It holds only its cursor, and reads nothing in advance.
 *
 * @throws `cursor-expired` for a cursor of another workspace or store, or if changes after it were removed
 */
export async function watchChanges(context: Context, input: WatchChanges): Promise<ChangeStream> {
  const cursor = await read(context, (tx) => beginning(tx, context, input));
  return new ChangeStream(context, input, cursor);
}

async function beginning(tx: ReadTransaction, context: Context, { workspaceId, since }: WatchChanges): Promise<string> {
  const [{ structure }, head] = await Promise.all([viewerOf(tx, context, workspaceId), tx.changeLog.head(workspaceId)]);
  context.recentStructures?.add(structure);
  const { revision } = structure;
  if (since === undefined) return cursorText(head, { offset: head.last, revision });
  // Refused as by the first read.
  cursorFrom(since, head, revision);
  return since;
}

/**
 * The changes of a workspace as one member sees them, read after each write. Each read checks access and token again,
 * so nothing is sent after a revocation. The log is the queue: an unread stream uses no memory.
 */
export class ChangeStream {
  readonly #context: Context;
  readonly #input: WatchChanges;
  readonly #wakeUps: WakeUps;
  readonly #listener: ChangeListener;
  readonly #userId: string | null;
  #cursor: string;
  /** Before what `next` has returned last. */
  #cursorBefore: string;
  /** What `next` has returned last; null while it reads. */
  #shown: ShownSlice | null = null;
  /** Whether something was written since `next` has read. */
  #isChanged = false;
  #isClosed = false;
  #cancelTimer: () => void = () => undefined;
  #cancelRetry: () => void = () => undefined;

  /** @param context of the call that has read the cursor */
  constructor(context: Context, input: WatchChanges, cursor: string) {
    const { effects, wakeUps = new WakeUps(context.store) } = context;
    this.#context = context;
    this.#input = input;
    this.#cursor = cursor;
    this.#cursorBefore = cursor;
    this.#userId = effects?.userId ?? null;
    this.#wakeUps = wakeUps;
    this.#listener = wakeUps.listen(input.workspaceId, this.#userId, effects?.tokenId);
    this.#wakeAtExpiry();
  }

  /** The cursor after everything that `next` has returned; at first, the start of the stream. */
  get cursor(): string {
    return this.#cursor;
  }

  /**
   * Resolves with the next events. A slice without events only moves the cursor: the caller does not see what was
   * written. Null: the stream or the engine is closed. An unreachable store is retried. Do not call it again before it
   * has resolved.
   *
   * @throws `not-found` when the caller is no longer a member, `unauthenticated`, `cursor-expired`
   */
  next(): Promise<ChangeSlice | null> {
    return this.nextMade(async (slice) => slice);
  }

  /**
   * Like {@link next}, with what `make` makes of the events. This is part of the read: other reads of the user wait for
   * it.
   */
  async nextMade<T extends object>(make: (slice: ChangeSlice) => Promise<T>): Promise<T | null> {
    this.#shown = null;
    this.#isChanged = false;
    for (;;) {
      const made = await inTurn(this.#context, () => this.#madeOfNext(make));
      if (made !== undefined) return made;
      await this.#listener.woken();
      this.#cancelRetry();
    }
  }

  /**
   * Waits for a reader to take what `next` has returned. After each write meanwhile, access is checked again.
   *
   * @param taken resolves then
   * @returns whether it was taken; false as soon as the caller may not see all of it any more, or the stream is closed
   * @throws `not-found`, `unauthenticated` as `next` would
   */
  async isTakenInSight(taken: Promise<void>): Promise<boolean> {
    const listener = this.#listener;
    let isTaken = false;
    void taken.then(() => {
      isTaken = true;
      listener.wake();
    });
    for (;;) {
      await listener.woken();
      if (!isTaken && !this.#isClosed && !(await inTurn(this.#context, () => this.isInSight()))) return false;
      if (isTaken || this.#isClosed) return isTaken;
    }
  }

  /**
   * Whether the caller may still see all that `next` has returned last. Otherwise, unless the stream was closed meanwhile, `next`
   * returns it again, as far as it may be seen. O(1) while nothing is written.
   *
   * @param next what the caller is given next: the task that it brings is looked at too
   * @throws `not-found`, `unauthenticated` as `next` would
   */
  async isInSight(next?: ChangeEvent): Promise<boolean> {
    if (this.#listener.isWoken) this.#isChanged = true;
    else if (!this.#isChanged || next === undefined) return true;
    this.#listener.reset();
    const { workspaceId } = this.#input;
    const context = { ...this.#context, onCursor: undefined };
    try {
      const [areSeen, head] = await read(context, async (tx) => {
        const [now, known] = await Promise.all([viewerOf(tx, context, workspaceId), tx.changeLog.head(workspaceId)]);
        const isSeen = this.#shown?.isSeenBy(now) === true;
        return [isSeen && (next === undefined || (await seesTaskOf(tx, now, next))), known] as const;
      });
      // Otherwise each poll of the log would wake it again.
      this.#listener.offset = head.last;
      if (!this.#isClosed && areSeen) return true;
    } catch (error) {
      if (!this.#isClosed && !isOutOfReach(error)) throw error;
    }
    this.#cursor = this.#cursorBefore;
    return false;
  }

  /** Ends the stream: a waiting `next` resolves with null. Idempotent. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#cancelTimer();
    this.#wakeUps.stopListening(this.#listener, this.#input.workspaceId, this.#userId);
    this.#listener.wake();
  }

  /** Null: the stream is closed. Undefined: there is nothing until the listener is woken. */
  async #madeOfNext<T extends object>(make: (slice: ChangeSlice) => Promise<T>): Promise<T | null | undefined> {
    if (this.#isClosed || this.#wakeUps.isClosed) return null;
    const listener = this.#listener;
    listener.reset();
    const found = await this.#read();
    if (found === null) return undefined;
    const { slice, offset } = found;
    const isMoved = slice.cursor !== this.#cursor;
    this.#cursorBefore = this.#cursor;
    this.#cursor = slice.cursor;
    listener.offset = offset;
    if (slice.items.length === 0 && !isMoved) {
      if (slice.next !== null) listener.wake();
      return undefined;
    }
    this.#shown = new ShownSlice(found);
    const made = this.#isClosed ? null : await make(slice);
    return this.#isClosed ? null : made;
  }

  /** Null: the stream was closed, or the store could not be reached and the read is to be repeated when the listener is woken. */
  async #read(): Promise<ChangeRead | null> {
    try {
      return await readChanges(this.#context, { ...this.#input, since: this.#cursor });
    } catch (error) {
      if (this.#isClosed) return null;
      const { timers } = this.#context;
      if (timers === undefined || !isOutOfReach(error)) throw error;
      // Writes wake it earlier: the store can be reached then.
      this.#listener.reset();
      this.#cancelRetry = timers.after(RETRIED_AFTER, () => this.#listener.wake());
      return null;
    }
  }

  /** The read that follows is refused. */
  #wakeAtExpiry(): void {
    const { effects, clock, timers } = this.#context;
    const expiresAt = effects?.expiresAt ?? null;
    if (expiresAt === null || timers === undefined) return;
    const left = Math.max(1, Date.parse(expiresAt) - clock.now());
    this.#cancelTimer = timers.after(Math.min(left, LONGEST_TIMER), () => {
      this.#listener.wake();
      if (clock.now() < Date.parse(expiresAt)) this.#wakeAtExpiry();
    });
  }
}

function isOutOfReach(error: unknown): boolean {
  return error instanceof EspalierError && (error.code === 'store-unavailable' || error.code === 'store-busy');
}
