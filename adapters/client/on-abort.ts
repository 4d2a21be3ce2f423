interface AbortCalls {
  readonly calls: Set<() => void>;
  readonly listener: () => void;
}

const callsAt = new WeakMap<AbortSignal, AbortCalls>();

/**
 * Calls a function when a signal is aborted. All those of a signal share one listener: many calls of a program may have the
 * same signal, and Node.js warns of a leak where it has more than ten.
 *
 * @returns ends that; the last one leaves nothing at the signal
 */
export function onAbort(signal: AbortSignal | undefined, call: () => void): () => void {
  if (signal === undefined) return () => undefined;
  const { calls, listener } = callsAt.get(signal) ?? listenedTo(signal);
  calls.add(call);
  return () => {
    if (!calls.delete(call) || calls.size > 0) return;
    callsAt.delete(signal);
    signal.removeEventListener('abort', listener);
  };
}

function listenedTo(signal: AbortSignal): AbortCalls {
  const calls = new Set<() => void>();
  const listener = () => calls.forEach((call) => call());
  signal.addEventListener('abort', listener);
  callsAt.set(signal, { calls, listener });
  return { calls, listener };
}
