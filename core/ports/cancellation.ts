/** Ends a call early. Every `AbortSignal` is one. */
export interface Cancellation {
  /** Whether the call must end. */
  readonly aborted: boolean;
  /** What the call throws when it ends. */
  readonly reason: unknown;
  /** Calls the listener once when the call must end. */
  addEventListener(type: 'abort', listener: () => void): void;
  /** Removes the listener. */
  removeEventListener(type: 'abort', listener: () => void): void;
}

interface AbortCalls {
  readonly calls: Set<() => void>;
  readonly listener: () => void;
}

const callsAt = new WeakMap<Cancellation, AbortCalls>();

/**
 * Calls a function when a signal is aborted. All those of a signal share one listener: many calls of a program may have the
 * same signal, and Node.js warns of a leak where it has more than ten.
 *
 * @returns ends that; the last one leaves nothing at the signal
 */
export function onAbort(signal: Cancellation | undefined, call: () => void): () => void {
  if (signal === undefined) return () => undefined;
  const { calls, listener } = callsAt.get(signal) ?? listenedTo(signal);
  calls.add(call);
  return () => {
    if (!calls.delete(call) || calls.size > 0) return;
    callsAt.delete(signal);
    signal.removeEventListener('abort', listener);
  };
}

function listenedTo(signal: Cancellation): AbortCalls {
  const calls = new Set<() => void>();
  const listener = () => calls.forEach((call) => call());
  signal.addEventListener('abort', listener);
  callsAt.set(signal, { calls, listener });
  return { calls, listener };
}
