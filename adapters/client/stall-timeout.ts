import { onAbort } from '../../core/ports/cancellation.ts';

/**
 * Aborts a transfer when no data moves for a while, or when its caller ends it. The transfer as a whole has no time
 * limit.
 */
export interface StallTimeout {
  /** The signal of the current attempt. */
  readonly signal: AbortSignal;
  /**
   * Data moved: restarts the timeout.
   *
   * @param limit the longest time until the next, in milliseconds. Default: that of {@link stallTimeout}
   */
  moved(limit?: number): void;
  /** Another attempt begins: restarts the timeout, with a new signal if the last attempt has run out of time. */
  restart(): AbortSignal;
  /** Stops the timeout until data moves again. */
  pause(): void;
  /** The transfer is over: clears the timer, and removes the listener from the caller's signal. */
  end(): void;
}

/** Why a transfer was aborted. */
export class Stalled extends DOMException {
  /** How long no data moved, in milliseconds. */
  readonly limit: number;

  constructor(limit: number) {
    super('Nothing moved.', 'TimeoutError');
    this.limit = limit;
  }
}

/**
 * @param longest time without data, in milliseconds
 * @param given the caller's signal. It is not combined by `AbortSignal.any`: in Node.js 20 a signal keeps a reference
 * to each combination for as long as it lives.
 */
export function stallTimeout(longest: number, given?: AbortSignal): StallTimeout {
  let stop = new AbortController();
  const follow = () => stop.abort(given?.reason);
  if (given?.aborted === true) follow();
  const unfollow = onAbort(given, follow);
  const abortAfter = (limit: number) => setTimeout(() => stop.abort(new Stalled(limit)), limit);
  let timer = abortAfter(longest);
  const moved = (limit = longest) => {
    clearTimeout(timer);
    timer = abortAfter(limit);
  };
  return {
    get signal() {
      return stop.signal;
    },
    moved,
    restart() {
      if (stop.signal.aborted && given?.aborted !== true) stop = new AbortController();
      moved();
      return stop.signal;
    },
    pause: () => clearTimeout(timer),
    end() {
      clearTimeout(timer);
      unfollow();
    },
  };
}
