/** Asks a call to end early. Every `AbortSignal` is one. */
export interface Cancellation {
  /** Whether the call is to end. */
  readonly aborted: boolean;
  /** What the call throws then. */
  readonly reason: unknown;
  /** Calls the listener once when the call is to end. */
  addEventListener(type: 'abort', listener: () => void): void;
  /** Calls it no more. */
  removeEventListener(type: 'abort', listener: () => void): void;
}
