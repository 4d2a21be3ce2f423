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
