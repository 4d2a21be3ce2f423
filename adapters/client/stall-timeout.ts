/** Aborts a transfer when no data moves for a while. The whole transfer may take any time. */
export interface StallTimeout {
  readonly signal: AbortSignal;
  /** Data moved: restarts the timeout. */
  moved(): void;
  end(): void;
}

/** @param longest time without data, in milliseconds */
export function stallTimeout(longest: number): StallTimeout {
  const stop = new AbortController();
  const abort = () => stop.abort(new DOMException('Nothing moved.', 'TimeoutError'));
  let timer = setTimeout(abort, longest);
  return {
    signal: stop.signal,
    moved() {
      clearTimeout(timer);
      timer = setTimeout(abort, longest);
    },
    end: () => clearTimeout(timer),
  };
}
