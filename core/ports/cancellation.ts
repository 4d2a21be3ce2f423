/** Asks a call to end early. Every `AbortSignal` is one. */
export interface Cancellation {
  readonly aborted: boolean;
  /** What the call throws then. */
  readonly reason: unknown;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}
