import { LONGEST_TIMER } from '../../core/ports/timers.ts';
import { EspalierError } from '../../core/kernel/errors.ts';
import { readProblem, UNKNOWN_OUTCOME } from './answer.ts';
import { onAbort } from '../../core/ports/cancellation.ts';
import type { HttpRequest } from './request.ts';
import type { Authorization, RemoteService, Transport } from './remote-service.ts';
import { Stalled, type StallTimeout, stallTimeout } from './stall-timeout.ts';

const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 5_000;

/** Sends a request, and retries it when the service is busy, or when it cannot be reached and a repetition is safe. */
export function sendRequest(service: RemoteService, request: HttpRequest): Promise<Response> {
  const { base, transport } = service;
  const { method, headers, body, wait = 0, signal } = request;
  const init = { method, ...(body === undefined ? {} : { body }) };
  const attempt = async (authorization: Authorization) => {
    const idle = stallTimeout(Math.min(transport.timeout + wait, LONGEST_TIMER), signal);
    try {
      const signed = { ...authorization, ...headers };
      const given = { ...init, headers: signed, redirect: 'manual', signal: idle.signal } as const;
      return await whole(await transport.fetch(base + request.path, given), idle);
    } finally {
      idle.end();
    }
  };
  const isWrite = method !== 'GET';
  return withRetries(service, { attempt, isRepeatable: () => request.repeatable, isWrite, signal });
}

/**
 * Bytes up to which a body is read at once: Chromium sometimes reports a request as aborted when a body this small is
 * read in parts.
 */
const AT_ONCE = 64 * 1024;

/**
 * The response with its whole body, so that a connection lost in the middle of an answer is handled like one lost
 * before it.
 */
async function whole(response: Response, idle: StallTimeout): Promise<Response> {
  const { status, headers, body } = response;
  if (body === null) return response;
  if (Number(headers.get('content-length') ?? Infinity) <= AT_ONCE) {
    const bytes = await response.arrayBuffer();
    return new Response(bytes.byteLength === 0 ? null : bytes, { status, headers });
  }
  const reader = body.getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for (;;) {
    idle.moved();
    const { done, value } = await reader.read();
    if (done) return new Response(parts.length > 1 ? new Blob(parts) : (parts[0] ?? null), { status, headers });
    parts.push(value as Uint8Array<ArrayBuffer>);
  }
}

interface Retried {
  /** Sends the request once, with the token in its headers. */
  readonly attempt: (authorization: Authorization) => Promise<Response>;
  /**
   * Whether to repeat a request whose first attempt may have had an effect: true if a repetition has no second effect.
   */
  readonly isRepeatable: () => boolean;
  /** Whether the request changes something. Default: no. */
  readonly isWrite?: boolean;
  /** Whether the body can be sent again. Default: yes. */
  readonly canResend?: () => boolean;
  /** Whether the caller has ended the call, and why. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * @throws `store-unavailable` when the service cannot be reached, the error of {@link RemoteService.authorize}, the
 * reason of the signal
 */
export async function withRetries(service: RemoteService, retried: Retried): Promise<Response> {
  const { base, transport } = service;
  const { isRepeatable, isWrite = false, canResend = () => true, signal } = retried;
  const { retries } = transport;
  let isUnknown = false;
  for (let tries = 0; ; tries++) {
    const isLast = () => tries >= retries || !canResend();
    try {
      const response = await signedAttempt(service, retried);
      if (isLast() || !(await isRetryable(response, isRepeatable))) return response;
      await response.body?.cancel();
      await paused(transport, pause(tries, response.headers.get('retry-after')), signal);
    } catch (error) {
      signal?.throwIfAborted();
      isUnknown ||= isWrite && !wasNotSent(error);
      const hasToken = !(error instanceof EspalierError);
      const isRepeated = hasToken && !isLast() && (isRepeatable() || wasNotSent(error));
      if (!isRepeated) throw unreachable(base, error, isUnknown);
      await paused(transport, pause(tries, null), signal);
    }
    signal?.throwIfAborted();
  }
}

/** Sends the request, and once more if the service refuses its token and there is another one by now. */
async function signedAttempt(
  service: RemoteService,
  { attempt, isRepeatable, canResend = () => true, signal }: Retried,
): Promise<Response> {
  const first = await service.authorize(signal);
  const response = await attempt(first);
  if (response.status !== 401 || !service.renewsToken || !canResend()) return response;
  // Read now, as its stall timeout goes on while the function for the token is asked.
  const refusal = new Response(await response.arrayBuffer(), response);
  // The 401 of a proxy does not say that nothing was done.
  if (!isRepeatable() && (await readProblem(refusal.clone())).code !== 'unauthenticated') return refusal;
  const second = await service.authorize(signal);
  return second.authorization === first.authorization ? refusal : attempt(second);
}

/** Statuses of a service that cannot work now, and of a proxy that cannot reach the service behind it. */
const UNAVAILABLE: ReadonlySet<number> = new Set([502, 503, 504]);

/** The request did not arrive in time; too many requests. */
const NOT_DONE: ReadonlySet<number> = new Set([408, 429]);

/** Whether to retry after an answer. Any request may be retried if the answer says that nothing was done. */
async function isRetryable(response: Response, isRepeatable: () => boolean): Promise<boolean> {
  if (NOT_DONE.has(response.status)) return true;
  if (response.status === 409) return (await readProblem(response.clone())).code === 'column-crowded';
  if (!UNAVAILABLE.has(response.status)) return false;
  return isRepeatable() || (await readProblem(response.clone())).code === 'store-busy';
}

const NEVER_SENT = ['ECONNREFUSED', 'UND_ERR_CONNECT_TIMEOUT'];

/** There was no token, or the connection was never made, so the request had no effect. */
function wasNotSent(error: unknown): boolean {
  return error instanceof EspalierError || NEVER_SENT.includes(codeOf(error));
}

function codeOf(error: unknown): string {
  const { cause } = error as { readonly cause?: { readonly code?: unknown } };
  return typeof cause?.code === 'string' ? cause.code : '';
}

/** @param isUnknown whether it may have changed something all the same */
export function unreachable(base: string, error: unknown, isUnknown = false): EspalierError {
  const outcome = isUnknown ? UNKNOWN_OUTCOME : '';
  if (error instanceof EspalierError) {
    const { code, detail, errors } = error;
    return isUnknown ? new EspalierError(code, detail + outcome, errors, { cause: error }) : error;
  }
  const { cause } = error as Error;
  const why =
    error instanceof Stalled
      ? `no answer within ${error.limit / 1_000} s`
      : codeOf(error) || (cause as Error | undefined)?.message || 'connection lost';
  return new EspalierError('store-unavailable', `The service at ${base} cannot be reached: ${why}.${outcome}`, [], {
    cause: error,
  });
}

/** Resolves after this many milliseconds, or when the signal is aborted, which also clears the timer. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      forget();
      resolve();
    };
    const timer = setTimeout(end, ms);
    const forget = onAbort(signal, end);
  });
}

/** Resolves when the pause is over or the signal is aborted, even if `sleep` ignores the signal. */
export async function paused(
  { sleep: waitFor }: Transport,
  ms: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (signal === undefined) return waitFor(ms);
  if (signal.aborted) return;
  let end: () => void = () => undefined;
  const aborted = new Promise<void>((resolve) => (end = resolve));
  const forget = onAbort(signal, end);
  await Promise.race([waitFor(ms, signal), aborted]);
  forget();
}

/** The delay before a retry, in milliseconds: exponential backoff with jitter. */
function pause(tries: number, retryAfter: string | null): number {
  const asked = retryAfter !== null && /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1_000 : 0;
  const own = FIRST_PAUSE * 2 ** tries * (0.5 + Math.random());
  return Math.min(LONGEST_PAUSE, Math.max(asked, own));
}
