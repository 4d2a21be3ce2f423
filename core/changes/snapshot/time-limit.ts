import { snapshotIncomplete } from '../../kernel/errors.ts';
import { onAbort } from '../../ports/cancellation.ts';
import type { Context } from '../../ports/context.ts';

/** Ends a long read when its time is up or its signal is aborted, also while it waits for its reader. */
export class TimeLimit {
  #failure: unknown;
  #isOver = false;
  #interrupt: ((reason: unknown) => void) | null = null;
  readonly #stop: () => void;

  /**
   * @param what is read, as the error begins
   * @param seconds that it may take, with its reader
   */
  constructor({ timers, signal }: Pick<Context, 'timers' | 'signal'>, what: string, seconds: number) {
    const abort = () => this.#end(signal?.reason);
    const cancel = timers?.after(seconds * 1_000, () =>
      this.#end(snapshotIncomplete(`${what} takes at most ${seconds} seconds, with its reader.`)),
    );
    const forget = onAbort(signal, abort);
    if (signal?.aborted === true) abort();
    this.#stop = () => {
      cancel?.();
      forget();
    };
  }

  /** Gives the reader an item. One at a time. @throws when the time is up, the reason of the signal when it is aborted */
  async give(item: () => Promise<void> | void): Promise<void> {
    if (this.#isOver) throw this.#failure;
    const taken = item();
    if (taken === undefined) return;
    await new Promise<void>((resolve, reject) => {
      this.#interrupt = reject;
      // A reader may abort as it takes the item.
      if (this.#isOver) reject(this.#failure);
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
