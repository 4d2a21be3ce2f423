import { EspalierError, invalid } from '../../core/kernel/errors.ts';
import { onAbort } from '../../core/ports/cancellation.ts';
import { sendable } from './sendable.ts';
import { Stalled, stallTimeout } from './stall-timeout.ts';

export interface Transport {
  /** Sends a request. Default: the `fetch` of the platform. */
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** The most retries of a call. Default 3. */
  readonly retries: number;
  /**
   * The longest time without data, in milliseconds, before an attempt is aborted. The upload and the answer of an
   * import have ten times that. At most 2^31 - 1. Default 30,000. The `fetch` of Node itself aborts after 300 s without
   * data: supply another `fetch` to wait for longer.
   */
  readonly timeout: number;
  /** Waits before a retry, in milliseconds. @param signal the signal of the call, which ends the wait */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/** Gives the token for a request. */
export type TokenFunction = (wait: {
  /** Aborted when the call ends first, and after `timeout`. */
  readonly signal: AbortSignal;
}) => string | Promise<string>;

/** The header with the token; empty without one. */
export type Authorization = Readonly<{ authorization?: string }>;

/** A service, and how requests are sent to it. */
export interface RemoteService {
  /** Its base URL, without a slash at its end. */
  readonly base: string;
  readonly transport: Transport;
  /** Whether a later request may carry another token. */
  readonly renewsToken: boolean;
  /**
   * The token for one request: a function is asked each time, and nothing it gives is kept.
   *
   * @param signal ends the wait for the function
   * @throws an {@link EspalierError} if the function gives no token, the reason of the signal
   */
  authorize(signal?: AbortSignal): Promise<Authorization>;
}

export function serviceAt(
  base: string,
  token: string | TokenFunction | undefined,
  transport: Transport,
): RemoteService {
  if (typeof token !== 'function') {
    const fixed = token === undefined ? {} : authorizationOf(token);
    return { base, transport, renewsToken: false, authorize: () => Promise.resolve(fixed) };
  }
  const authorize = async (signal?: AbortSignal) => authorizationOf(await tokenFrom(token, transport.timeout, signal));
  return { base, transport, renewsToken: true, authorize };
}

function authorizationOf(token: string): Authorization {
  return { authorization: `Bearer ${sendable(token)}` };
}

/**
 * @param timeout in milliseconds
 * @throws the `EspalierError` of the function; `unauthenticated`, caused by any other error of it; `invalid-input` if it
 * gives no text, `store-unavailable` if it gives nothing in time; the reason of the signal
 */
async function tokenFrom(give: TokenFunction, timeout: number, signal: AbortSignal | undefined): Promise<string> {
  signal?.throwIfAborted();
  const wait = stallTimeout(timeout, signal);
  const ended = new Promise<never>((_, reject) => onAbort(wait.signal, () => reject(whyEnded(wait.signal))));
  try {
    const token: unknown = await Promise.race([given(give, wait.signal), ended]);
    if (typeof token === 'string' && token.trim() !== '') return token;
  } finally {
    wait.end();
  }
  throw invalid('/token', 'must give a string that is not empty');
}

async function given(give: TokenFunction, signal: AbortSignal): Promise<unknown> {
  try {
    return await give({ signal });
  } catch (cause) {
    if (cause instanceof EspalierError) throw cause;
    throw new EspalierError('unauthenticated', 'The function for the token failed.', [], { cause });
  }
}

function whyEnded({ reason }: AbortSignal): Error {
  if (!(reason instanceof Stalled)) return reason as Error;
  const detail = `The function for the token gave none within ${reason.limit / 1_000} s.`;
  return new EspalierError('store-unavailable', detail, [], { cause: reason });
}
