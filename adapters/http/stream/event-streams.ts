import { nextTurn } from '../../event-loop/next-turn.ts';
import type { ChangeStream } from '../../../core/changes/watch.ts';
import { EspalierError } from '../../../core/kernel/errors.ts';
import type { Timers } from '../../../core/ports/timers.ts';
import type { Outlet } from '../response/reply.ts';
import { EventStream } from './event-stream.ts';
import type { StreamEnd } from './event-text.ts';

/** The most streams of events that are open at once in one process. */
export interface StreamLimits {
  /** The most of one user, with all tokens together. Default 64. */
  readonly perUser?: number;
  /** The most of all users. Default 2,048. */
  readonly perProcess?: number;
}

/**
 * Why a stream was closed: the code of its last event, `client` if the client went away or read nothing, or `error`.
 */
export type StreamReason = StreamEnd | 'client' | 'error';

/** Called for each stream. */
export interface StreamObserver {
  opened(requestId: string): void;
  /** @param seconds how long it was open */
  closed(requestId: string, reason: StreamReason, seconds: number): void;
  /** @param error the cause of the end, other than an `EspalierError` */
  failed(requestId: string, error: unknown): void;
}

/** The request for a stream. */
interface StreamRequest {
  readonly requestId: string;
  /** Called when the texts of a read have been built. */
  readonly made: () => void;
  /** Called when the stream has ended. */
  readonly ended: () => void;
}

/** The interval of heartbeats, in seconds. */
const HEARTBEAT_EVERY = 20;
/** How many streams are checked before other work runs. */
const BATCH = 100;

/** All streams of events of this process. One timer serves them all; each is checked every 20 s, some every second. */
export class EventStreams {
  readonly #timers: Timers;
  readonly #watch: StreamObserver;
  /** The streams, by the second in which they are checked. */
  readonly #slots = Array.from({ length: HEARTBEAT_EVERY }, () => new Set<EventStream>());
  #opened = 0;
  #slot = 0;
  #isTicking = false;
  #isDraining = false;

  /** @param draining aborted when the service closes: streams end */
  constructor(timers: Timers, draining: AbortSignal, watch: StreamObserver) {
    this.#timers = timers;
    this.#watch = watch;
    draining.addEventListener('abort', () => void this.#drain());
  }

  /** Sends the events of a stream until it ends or the client goes away. */
  run(changes: ChangeStream, outlet: Outlet, { requestId, made, ended }: StreamRequest): void {
    const order = (this.#opened += 1);
    const stream = new EventStream({ changes, outlet, made }, order);
    const slot = this.#slots[order % HEARTBEAT_EVERY]!;
    slot.add(stream);
    this.#tickLater();
    const openedAt = performance.now();
    let hasFailed = false;
    this.#watch.opened(requestId);
    outlet.onClose(() => {
      slot.delete(stream);
      changes.close();
      ended();
      const reason = hasFailed ? 'error' : (stream.ended ?? 'client');
      this.#watch.closed(requestId, reason, (performance.now() - openedAt) / 1_000);
    });
    stream.send().catch((error: unknown) => {
      hasFailed = true;
      if (!(error instanceof EspalierError)) this.#watch.failed(requestId, error);
      stream.end('reconnect');
    });
    if (this.#isDraining) stream.end('reconnect');
  }

  #tickLater(): void {
    if (this.#isTicking) return;
    this.#isTicking = true;
    this.#timers.after(1_000, () => void this.#tick());
  }

  async #tick(): Promise<void> {
    this.#slot = (this.#slot + 1) % HEARTBEAT_EVERY;
    await inBatches(this.#slots[this.#slot]!, (stream) => stream.beat());
    this.#isTicking = false;
    if (this.#slots.some(({ size }) => size > 0)) this.#tickLater();
  }

  async #drain(): Promise<void> {
    this.#isDraining = true;
    for (const slot of this.#slots) await inBatches(slot, (stream) => stream.end('reconnect'));
  }
}

async function inBatches<T>(all: Iterable<T>, act: (one: T) => void): Promise<void> {
  let done = 0;
  for (const one of all) {
    act(one);
    if ((done += 1) % BATCH === 0) await nextTurn();
  }
}
