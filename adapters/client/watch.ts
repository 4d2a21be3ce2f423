import type { ChangeSlice } from '../../core/changes/slice.ts';
import type { WatchChanges } from '../../core/changes/watch.ts';
import { EspalierError, type ErrorCode, notFound, unauthenticated } from '../../core/kernel/errors.ts';
import { requireCallOptions } from '../../core/ports/call-options.ts';
import type { ChangeEvent } from '../../core/model/log/change-event.ts';
import type { CallOptions, Session, WatchInput } from '../../core/session.ts';
import { EVENT_STREAM } from '../schemas/http-names.ts';
import { expectOk, notEspalier } from './answer.ts';
import { EventTooLarge, sentEvents } from './event-stream.ts';
import { matchesNothing, requestOf } from './request.ts';
import { ROUTES } from './routes.ts';
import { onAbort } from '../../core/ports/cancellation.ts';
import { paused, withRetries } from './send.ts';
import type { Authorization, RemoteService } from './remote-service.ts';
import { stallTimeout, type StallTimeout } from './stall-timeout.ts';

/** How long a stream may be silent, in milliseconds: the service sends a heartbeat every 20 s. */
const SILENT_FOR = 50_000;
/** How long a stream may take to begin, in milliseconds. A proxy that buffers it takes longer. */
const BEGINS_WITHIN = 10_000;
/** How long a request waits if a proxy buffers streams, in seconds. */
const WAIT = 30;
/** Milliseconds before the first attempt to connect again, about. */
const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 30_000;

const LIST = ROUTES.find(({ useCase }) => useCase === 'changes.list')!;

type Input = WatchInput<WatchChanges>;
type Watch = Session['changes']['watch'];

/** What a connection yields: an event, or the cursor after all events before it. */
type Received = { readonly event: ChangeEvent } | { readonly cursor: string };

/** A proxy buffers the stream. */
class StreamBuffered extends Error {}

/**
 * Follows changes over HTTP: by a stream of events, and by long polling if a proxy buffers that, or an event with its
 * record is too large for it. A lost connection is made again with exponential backoff and jitter.
 */
export function watching(service: RemoteService, session: () => Session): Watch {
  return async function* watch(watched: Input, options: CallOptions = {}) {
    requireCallOptions(options);
    const { signal = options.signal, ...input } = { ...watched };
    requireCallOptions({ signal });
    const stop = new AbortController();
    const end = () => stop.abort();
    const given = signal as AbortSignal | undefined;
    const forget = onAbort(given, end);
    if (given?.aborted === true) end();
    const passes = [input.kind, input.boardId, input.pageId].some(matchesNothing)
      ? ({ type }: ChangeEvent) => type === 'scope'
      : () => true;
    const connection = { service, session, input, signal: stop.signal, requestId: options.requestId };
    try {
      for await (const one of reconnecting(connection)) {
        if ('cursor' in one) options.onCursor?.(one.cursor);
        else if (passes(one.event)) yield one.event;
        if (stop.signal.aborted) return;
      }
    } finally {
      forget();
      end();
    }
  };
}

interface WatchConnection {
  readonly service: RemoteService;
  readonly session: () => Session;
  readonly input: WatchChanges;
  /** Ends it. */
  readonly signal: AbortSignal;
  readonly requestId: string | undefined;
}

/** @throws any error of the first connection; after that, only errors that a retry cannot fix */
async function* reconnecting(connection: WatchConnection): AsyncIterableIterator<Received> {
  const { signal, service } = connection;
  let since = connection.input.since;
  let hasBegun = false;
  let failures = 0;
  let source = streamed;
  while (!signal.aborted) {
    try {
      for await (const one of source(connection, since)) {
        // A resumed stream begins with the cursor that is known already.
        const isKnown = hasBegun && 'cursor' in one && one.cursor === since;
        hasBegun = true;
        failures = 0;
        if (isKnown) continue;
        if ('cursor' in one) since = one.cursor;
        yield one;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof StreamBuffered || error instanceof EventTooLarge) {
        source = polled;
        continue;
      }
      if (!hasBegun || !isTransient(error)) throw error;
      source = streamed;
    }
    failures += 1;
    await paused(service.transport, pause(failures), signal);
  }
}

/** The events of one stream, until it ends. @throws StreamBuffered @throws the error that refuses or interrupts it */
async function* streamed(connection: WatchConnection, since: string | undefined): AsyncIterableIterator<Received> {
  const { service, input, signal, requestId } = connection;
  const { base, transport } = service;
  const request = requestOf(LIST, { ...input, since }, { requestId });
  const idle = stallTimeout(SILENT_FOR, signal);
  const late = new AbortController();
  let beginning: ReturnType<typeof setTimeout> | undefined;
  const isInTime = () => !late.signal.aborted;
  const attempt = async (authorization: Authorization) => {
    const headers = { ...authorization, ...request.headers, accept: EVENT_STREAM };
    const either = AbortSignal.any([late.signal, idle.restart()]);
    beginning = setTimeout(() => late.abort(new StreamBuffered()), Math.min(BEGINS_WITHIN, transport.timeout));
    let isOpen = false;
    try {
      const response = await transport.fetch(base + request.path, { headers, redirect: 'manual', signal: either });
      isOpen = response.ok;
      return response;
    } finally {
      // Neither a pause before a retry nor the wait for a token says anything about the stream.
      if (!isOpen) clearTimeout(beginning);
    }
  };
  try {
    const response = await expectOk(
      base,
      await withRetries(service, { attempt, isRepeatable: () => true, canResend: isInTime, signal }),
    );
    const { body } = response;
    const type = response.headers.get('content-type') ?? 'no type';
    if (!type.startsWith(EVENT_STREAM) || body === null) throw notEspalier(base, type);
    for await (const given of eventsOf(body, idle, service)) {
      clearTimeout(beginning);
      yield given;
    }
  } catch (error) {
    throw late.signal.aborted ? late.signal.reason : error;
  } finally {
    clearTimeout(beginning);
    idle.end();
  }
}

/**
 * The events until the stream ends. One whose token is refused ends like any other if there may be another token: the
 * service says whether it takes that one.
 *
 * @throws `unauthenticated` if there is no other token, `not-found` if the caller no longer has access to the workspace
 */
async function* eventsOf(
  body: ReadableStream<Uint8Array>,
  idle: StallTimeout,
  { renewsToken }: RemoteService,
): AsyncIterableIterator<Received> {
  for await (const { event: type, id, data } of sentEvents(body, idle)) {
    const sent = JSON.parse(data) as ChangeEvent & { readonly code?: string };
    const isChange = type !== 'ready' && type !== 'end';
    if (isChange) yield { event: sent };
    if (id !== undefined) yield { cursor: id };
    if (type !== 'end') continue;
    if (sent.code === 'unauthenticated' && !renewsToken) throw unauthenticated();
    if (sent.code === 'gone') throw notFound();
    return;
  }
}

/** The same events by long polling. */
async function* polled(connection: WatchConnection, since: string | undefined): AsyncIterableIterator<Received> {
  const { input, signal } = connection;
  const { changes } = connection.session();
  let cursor = since ?? (await cursorOfNow(connection));
  yield { cursor };
  for (;;) {
    const slice: ChangeSlice = await changes.list({ ...input, since: cursor, wait: WAIT }, { signal });
    for (const event of slice.items) yield { event };
    cursor = slice.cursor;
    yield { cursor };
  }
}

async function cursorOfNow({ session, input: { workspaceId }, signal }: WatchConnection): Promise<string> {
  let now = '';
  await session().workspaces.get({ workspaceId }, { signal, onCursor: (cursor) => void (now = cursor) });
  return now;
}

const TRANSIENT: readonly ErrorCode[] = ['store-unavailable', 'store-busy', 'issuer-unavailable'];

/** Whether a retry may succeed: the service has not refused the request itself. */
function isTransient(error: unknown): boolean {
  return !(error instanceof EspalierError) || TRANSIENT.includes(error.code);
}

function pause(failures: number): number {
  return Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (failures - 1)) * (0.5 + Math.random());
}
