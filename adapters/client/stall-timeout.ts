/** Gives up a transfer in which nothing moves for a while, however long it takes as a whole. */
export interface Idle {
  readonly signal: AbortSignal;
  /** Something moved. */
  moved(): void;
  end(): void;
}

/** @param longest milliseconds */
export function idleFor(longest: number): Idle {
  const stop = new AbortController();
  const giveUp = () => stop.abort(new DOMException('Nothing moved.', 'TimeoutError'));
  let timer = setTimeout(giveUp, longest);
  return {
    signal: stop.signal,
    moved() {
      clearTimeout(timer);
      timer = setTimeout(giveUp, longest);
    },
    end: () => clearTimeout(timer),
  };
}
