/** Aborts a transfer when no data moves for a while. The whole transfer may take any time. */
export interface Idle {
  readonly signal: AbortSignal;
  /** Data moved: restarts the timeout. */
  moved(): void;
  end(): void;
}

/** @param longest without data, in milliseconds */
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
