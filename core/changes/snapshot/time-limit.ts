import { snapshotIncomplete } from '../../kernel/errors.ts';
import type { Context } from '../../ports/context.ts';

/** How long a snapshot may take, with its reader, in milliseconds: as long as a database keeps what it is read from. */
const TIME_LIMIT = 240_000;

/** Ends a long read when its time is up or its signal is aborted, also while it waits for its reader. */
export class TimeLimit {
  #failure: unknown;
  #isOver = false;
  #interrupt: ((reason: unknown) => void) | null = null;
  readonly #stop: () => void;

  constructor({ timers, signal }: Pick<Context, 'timers' | 'signal'>) {
    const abort = () => this.#end(signal?.reason);
    const cancel = timers?.after(TIME_LIMIT, () =>
      this.#end(snapshotIncomplete(`A snapshot takes at most ${TIME_LIMIT / 1_000} seconds, with its reader.`)),
    );
    signal?.addEventListener('abort', abort);
    if (signal?.aborted === true) abort();
    this.#stop = () => {
      cancel?.();
      signal?.removeEventListener('abort', abort);
    };
  }

  /** Gives the reader an item. One at a time. @throws when the time is up, the reason of the signal when it is aborted */
  async give(item: () => Promise<void> | void): Promise<void> {
    if (this.#isOver) throw this.#failure;
    const taken = item();
    if (taken === undefined) return;
    await new Promise<void>((resolve, reject) => {
      this.#interrupt = reject;
      taken.then(resolve, reject);
    });
    this.#interrupt = null;
  }

  stop(): void {
    this.#stop();
  }

  #end(reason: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#failure = reason;
    this.#interrupt?.(reason);
  }
}
