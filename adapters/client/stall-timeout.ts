/** Aborts a transfer when no data moves for a while. The whole transfer may take any time. */
export interface StallTimeout {
  readonly signal: AbortSignal;
  /** Data moved: restarts the timeout. @param limit the longest time until the next, in milliseconds. Default: as always */
  moved(limit?: number): void;
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

/** @param longest time without data, in milliseconds */
export function stallTimeout(longest: number): StallTimeout {
  const stop = new AbortController();
  const abortAfter = (limit: number) => setTimeout(() => stop.abort(new Stalled(limit)), limit);
  let timer = abortAfter(longest);
  return {
    signal: stop.signal,
    moved(limit = longest) {
      clearTimeout(timer);
      timer = abortAfter(limit);
    },
    end: () => clearTimeout(timer),
  };
}
