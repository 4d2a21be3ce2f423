import type { ChangeSlice } from '../../core/changes/slice.ts';
import type { Call, Caller } from '../../core/ports/context.ts';
import type { Slice } from '../../core/kernel/record.ts';
import { useCaseNamed, type RunUseCase } from '../../core/wrap-engine.ts';
import type { Operation } from '../schemas/index.ts';
import { CURSOR, EVENT_STREAM, JSON_LINES } from '../schemas/http-names.ts';
import { type InTurn, isBulk, isLargeList } from './limits/requests-in-turn.ts';
import { compressible } from './response/compression.ts';
import { expectedVersions, isRevalidated, isTagged, knownTag, requireKnownTags } from './response/conditional.ts';
import type { RequestContext, Handler } from './request/request-context.ts';
import { idempotencyKeyOf, sha256 } from './request/idempotency.ts';
import { hasCursor, requestWithWorkspaceId, workspaceParameter } from './request/workspace-address.ts';
import { inputReader } from './request/input.ts';
import { jsonList } from './response/json.ts';
import { recordText } from './response/record-text.ts';
import type { HttpParts } from './http-parts.ts';
import type { LargeAnswers } from './limits/large-answers.ts';
import type { ServiceLimits } from './limits/limits.ts';
import { prefers, requireAcceptable } from './response/negotiation.ts';
import { BODY_LIMIT, type HttpOptions } from './options.ts';
import { pagingHeaders } from './response/paging.ts';
import { HttpError } from './response/problem.ts';
import { jsonReply, varyBy, type Reply } from './response/reply.ts';
import { signedIn } from './request/signed-in.ts';
import { linesHandler } from './transfer/lines.ts';
import { eventsHandler } from './stream/events-handler.ts';

/** Answers one operation. */
export function operationHandler(operation: Operation, parts: HttpParts): Handler {
  const { engine, authentication, limits, options } = parts;
  const run = useCaseNamed(engine, operation.useCase);
  const answer = answerer(operation, run, parts);
  const handle: Handler = (given) =>
    signedIn(authentication, given, (caller) => {
      requireAcceptable(given.request);
      if (!isBulk(operation, given.request)) return answer(given, caller);
      return limits.bulk(given, caller, async () => {
        // A caller who can no longer sign in gives the turn back at once.
        await authentication.confirm(caller);
        return answer(given, caller);
      });
    });
  if (operation.resumedBy === 'since') {
    const events = eventsHandler(parts);
    return (context) =>
      prefers(context.request, EVENT_STREAM, 'application/json') ? events(context) : handle(context);
  }
  if (!operation.lines) return handle;
  const lines = linesHandler(operation, run as () => Promise<Slice<object>>, authentication, options);
  return (context) => (prefers(context.request, JSON_LINES, 'application/json') ? lines(context) : handle(context));
}

type SignedInHandler = (context: RequestContext, caller: Caller) => Promise<Reply>;

/** Answers a caller with JSON: reads the input, runs the use case when it is its turn, and makes its result a reply. */
function answerer(operation: Operation, run: RunUseCase, parts: HttpParts): SignedInHandler {
  const { engine, authentication, limits, largeAnswers, options } = parts;
  const { bodyLimit = BODY_LIMIT, requireIfMatch = false } = options;
  const readInput = inputReader(operation);
  const callOf = callMaker(operation, largeAnswers);
  const inTurn = turnOf(operation, limits);
  const reply = replier(operation, run, options);
  const withVariants = variants(operation, options);
  const workspace = workspaceParameter(operation);
  return async (given, caller) => {
    const named = requestWithWorkspaceId(engine, caller, given, workspace);
    const context = named instanceof Promise ? await named : named;
    const read = readInput(context, bodyLimit, () => authentication.confirm(caller));
    const { input, body } = read instanceof Promise ? await read : read;
    if (requireIfMatch) requirePrecondition(operation, context.request);
    const running = callOf(context, caller, body);
    if (mayWait(operation, input)) {
      const waited = withoutRecords(input);
      // Changes that gave no event are not read again: the log may no longer have them.
      const onPassed = (cursor: string) => void (input['since'] = cursor);
      await limits.waiting(context, caller, (signal) => run({ ...running.call, signal, onPassed }, waited));
      input['wait'] = 0;
    }
    const made = () => reply(context, running, input);
    return withVariants(context, await (inTurn === null ? made() : inTurn(context, caller, made)));
  };
}

/** A call of a use case, and what it has reported so far. */
interface RunningCall {
  readonly call: Call;
  /** The cursor of the snapshot that it reads. */
  cursor: string | undefined;
  /** Gives back its turn among large answers. */
  readonly made: () => void;
}

/** Makes calls from requests. */
function callMaker(operation: Operation, largeAnswers: LargeAnswers) {
  // The answer carries the cursor of its snapshot, from which later changes can be followed.
  const isSnapshot = hasCursor(operation) && operation.resumedBy === 'cursor';
  const isConditionalRead = isRevalidated(operation);
  return (context: RequestContext, caller: Caller, body: Uint8Array): RunningCall => {
    const { requestId, request } = context;
    const ifVersion = operation.conditional ? expectedVersions(request.headers.get('if-match')) : undefined;
    if (isConditionalRead) requireKnownTags(request.headers.get('if-none-match'));
    const idempotencyKey = idempotencyKeyOf(context, () => sha256(body));
    const onCursor = isSnapshot ? (seen: string) => void (running.cursor = seen) : undefined;
    const { before: beforeLargeAnswer, made } = largeAnswers.turns(request);
    const call: Call = { caller, requestId, ifVersion, idempotencyKey, onCursor, beforeLargeAnswer };
    const running: RunningCall = { call, cursor: undefined, made };
    return running;
  };
}

/**
 * How requests of some operations run: large lists wait for their turn, and failed look-ups by a secret id are counted.
 * Null for other operations.
 */
function turnOf(operation: Operation, limits: ServiceLimits): InTurn | null {
  if (isLargeList(operation)) return limits.lists;
  return operation.bySecretId ? (context, caller, work) => limits.guess(context, caller, work) : null;
}

/** Runs a use case and makes its result a reply, both in the turn of a large answer. */
function replier(operation: Operation, run: RunUseCase, { basePath = '' }: Pick<HttpOptions, 'basePath'>) {
  const locate = locationOf(operation, basePath);
  return async (context: RequestContext, running: RunningCall, input: unknown): Promise<Reply> => {
    try {
      const result = await run(running.call, input);
      if (running.cursor !== undefined) context.responseHeaders[CURSOR] = running.cursor;
      return await replyWith(operation, locate, context, result);
    } finally {
      running.made();
    }
  };
}

/** Names the request headers by which answers vary, and compresses answers if possible. */
function variants(operation: Operation, { compression = true }: Pick<HttpOptions, 'compression'>) {
  const isCompressed = compression && operation.method === 'GET' && operation.secret === null;
  const differsByAccept = operation.lines || operation.resumedBy === 'since';
  return ({ responseHeaders }: RequestContext, reply: Reply): Reply => {
    if (differsByAccept) varyBy(responseHeaders, 'Accept');
    if (!isCompressed) return reply;
    varyBy(responseHeaders, 'Accept-Encoding');
    return compressible(reply);
  };
}

function mayWait({ resumedBy }: Operation, { wait }: Readonly<Record<string, unknown>>): boolean {
  return resumedBy === 'since' && typeof wait === 'number' && wait > 0;
}

/** The input of a wait: events without their records, which may be large and are read only for the answer. */
function withoutRecords({ include, ...input }: Record<string, unknown>): Record<string, unknown> {
  // Malformed input is refused before the request waits for anything.
  return String(include) === 'record' ? input : { ...input, include };
}

function requirePrecondition({ conditional, method }: Operation, { headers }: Request): void {
  if (!conditional || method === 'POST' || headers.has('if-match')) return;
  throw new HttpError(
    'precondition-required',
    'This needs an If-Match header with the entity tag of the record that was read.',
  );
}

async function replyWith(
  operation: Operation,
  locate: Locate | undefined,
  context: RequestContext,
  result: unknown,
): Promise<Reply> {
  const { method, paged, resumedBy } = operation;
  const status = statusOf(operation, result);
  if (status === 204) return { status };
  const slice = paged ? (result as Slice<unknown>) : undefined;
  const shown = slice === undefined ? (result as object) : slice.items;
  const headers: Record<string, string> = { 'cache-control': method === 'GET' ? 'private, no-cache' : 'no-store' };
  if (slice !== undefined) Object.assign(headers, pagingHeaders(context.path, context.search, slice, resumedBy));
  if (resumedBy === 'since') headers[CURSOR] = (result as ChangeSlice).cursor;
  if (locate !== undefined) headers['location'] = locate(context.params, shown);
  if (Array.isArray(shown)) return jsonReply(status, await jsonList(shown as readonly object[]), headers);
  const text = recordText(shown);
  const { body, etag } = text instanceof Promise ? await text : text;
  if (isTagged(operation)) headers['etag'] = etag;
  const known = method === 'GET' ? knownTag(context.request.headers.get('if-none-match'), etag) : null;
  return known === null ? jsonReply(status, body, headers) : { status: 304, headers: { ...headers, etag: known } };
}

const ACCEPTED = 202;

function statusOf({ status, acceptedWithout }: Operation, result: unknown): number {
  if (acceptedWithout === null) return status;
  return (result as Readonly<Record<string, unknown>>)[acceptedWithout] === null ? ACCEPTED : status;
}

type Locate = (params: RequestContext['params'], record: object) => string;

/** The `Location` of a created record: the template, filled with fields of the record or of the path. */
function locationOf({ location }: Operation, basePath: string): Locate | undefined {
  if (location === undefined) return undefined;
  return (params, record) =>
    basePath +
    location.replace(/\{(\w+)\}/g, (_, name: string) => {
      const found = (record as Readonly<Record<string, string | undefined>>)[name];
      // Paths name the workspace id `id` or `workspaceId`.
      return found ?? params[name] ?? params['id']!;
    });
}
