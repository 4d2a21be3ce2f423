import type { ChangeEvent } from '../../../core/model/log/change-event.ts';
import { EVENT_STREAM, JSON_LINES } from '../../schemas/http-names.ts';
import { hasBody, pathFields, type Operation } from '../../schemas/index.ts';
import { HEAD_LIMIT } from '../options.ts';
import { hasCursor } from '../request/workspace-address.ts';
import { isRevalidated, isTagged } from '../response/conditional.ts';
import { STATUS, type ProblemCode } from '../response/problem.ts';
import { eventTexts, readyText } from '../stream/event-text.ts';
import { codesWith, exampleAnswer, exampleProblems } from './examples.ts';
import { schemaOf, type Json } from './schema.ts';
import { groupBy } from '../../../core/kernel/group.ts';

const HEADER = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } };

/** Every error code that an operation may answer with. */
export function codesOf(operation: Operation): readonly ProblemCode[] {
  const addressed = pathFields(operation.path).length > 0;
  return [
    'invalid-input',
    'unauthenticated',
    ...(operation.forEverybody ? [] : (['forbidden'] as const)),
    ...(addressed ? (['not-found'] as const) : []),
    'not-acceptable',
    ...operation.codes,
    ...(isGuarded(operation) ? (['guard-refused'] as const) : []),
    ...(operation.method === 'POST' ? (['key-reused', 'quota-exceeded'] as const) : []),
    ...(operation.secret === 'once' ? (['secret-not-kept'] as const) : []),
    ...(operation.conditional ? (['version-mismatch'] as const) : []),
    ...(operation.conditional && operation.method !== 'POST' ? (['precondition-required'] as const) : []),
    ...(hasBody(operation.method) ? (['content-too-large', 'unsupported-media-type'] as const) : []),
    'too-many-requests',
    'internal',
    'store-busy',
    'store-unavailable',
  ];
}

/** Whether it writes records of a workspace that guards of the host may refuse. */
function isGuarded({ useCase, method, path }: Operation): boolean {
  return method !== 'GET' && path.startsWith('/api/workspace') && !UNGUARDED.has(useCase);
}

/**
 * Operations that guards do not refuse: a copy that one refuses is `copy-failed`, and guards were asked about a record
 * in the trash when it was deleted.
 */
const UNGUARDED: ReadonlySet<Operation['useCase']> = new Set(['boards.copy', 'pages.copy', 'trash.delete']);

export function responsesOf(operation: Operation): Json {
  const failures = groupBy(new Set(codesOf(operation)), (code) => STATUS[code]);
  const known = isRevalidated(operation) ? { 304: notModified(hasCursor(operation)) } : {};
  return {
    [operation.status]: success(operation),
    ...(operation.acceptedWithout === null
      ? {}
      : { 202: { ...(success(operation) as object), description: 'The copy is being created: see Location.' } }),
    ...known,
    ...(operation.useCase === 'tasks.list'
      ? { 431: { description: `The address and headers exceed ${HEAD_LIMIT / 1024} KiB.` } }
      : {}),
    ...Object.fromEntries([...failures].map(([status, codes]) => [status, failure(operation, status, codes)])),
  };
}

function notModified(withCursor: boolean): Json {
  const headers = { ...HEADER, ...ETAG, ...(withCursor ? CURSOR : {}) };
  return { description: 'The record is unchanged.', headers };
}

function success(operation: Operation): Json {
  const { output, paged, status, method } = operation;
  if (output === null) return { description: 'Done.', headers: HEADER };
  const isList = paged || (output as { type?: string }).type === 'array';
  const schema = paged ? { type: 'array', maxItems: 500, items: schemaOf(output) } : schemaOf(output);
  return {
    description: status === 201 ? 'Created.' : 'Done.',
    headers: {
      ...HEADER,
      ...(isList || !isTagged(operation) ? {} : ETAG),
      ...(method === 'POST' ? { 'Idempotency-Replayed': { $ref: '#/components/headers/IdempotencyReplayed' } } : {}),
      ...(operation.location === undefined ? {} : { Location: { $ref: '#/components/headers/Location' } }),
      ...(hasCursor(operation) ? CURSOR : {}),
      ...(paged ? { Link: { $ref: '#/components/headers/Link' } } : {}),
      ...(hasCount(operation) ? { 'X-Total-Count': { $ref: '#/components/headers/TotalCount' } } : {}),
    },
    content: {
      'application/json': { schema, ...exampleAnswer(operation.useCase) },
      ...(operation.lines ? { [JSON_LINES]: { schema: RECORDS_AS_LINES } } : {}),
      ...(operation.resumedBy === 'since' ? { [EVENT_STREAM]: eventStream(operation) } : {}),
    },
  };
}

/** Server-sent events, with the events of the list as the example. */
function eventStream({ useCase }: Operation): Json {
  const { example = [] } = exampleAnswer(useCase) as { example?: readonly ChangeEvent[] };
  const [before, after] = ['q8T0Vd1yK3xA.2n.1c', 'q8T0Vd1yK3xA.2o.1c'];
  return { schema: EVENTS, example: [readyText(before), ...eventTexts(example, after)].join('') };
}

const EVENTS = {
  type: 'string',
  contentMediaType: EVENT_STREAM,
  description:
    'Server-sent events while the client listens: first `ready`, then an event for each change, named by its ' +
    '`type`, with a `ChangeEvent` (see the schemas) as JSON in `data` and the cursor to continue from in `id`. Every 20 s ' +
    'the service sends a comment. Before it closes the stream it sends `end` with a `code`: `reconnect`, `unauthenticated` or `gone`.',
};

const RECORDS_AS_LINES = {
  type: 'string',
  description: 'The list with one JSON object per line: the whole list, or up to `limit` items after `cursor`.',
};

export const ETAG = { ETag: { $ref: '#/components/headers/ETag' } };
const CURSOR = { 'Espalier-Cursor': { $ref: '#/components/headers/EspalierCursor' } };

/** Lists that can count all matches. */
function hasCount({ input, paged }: Operation): boolean {
  return paged && Object.hasOwn(input.properties, 'count');
}

const SHARED: Readonly<Record<number, string>> = {
  400: 'InvalidInput',
  401: 'Unauthenticated',
  403: 'Forbidden',
  404: 'NotFound',
  406: 'NotAcceptable',
  412: 'VersionMismatch',
  413: 'ContentTooLarge',
  415: 'UnsupportedMediaType',
  428: 'PreconditionRequired',
  429: 'TooManyRequests',
  500: 'Internal',
  503: 'Unavailable',
};

function failure({ useCase }: Operation, status: number, codes: readonly ProblemCode[]): Json {
  const shared = SHARED[status];
  if (shared !== undefined) return { $ref: `#/components/responses/${shared}` };
  const headers = codes.includes('column-crowded')
    ? { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } }
    : {};
  return problemResponse(`${codes.map((code) => `\`${code}\``).join(', ')}.`, { headers, codes, useCase });
}

interface AboutProblem {
  readonly headers?: Json;
  /** The codes that it may have as a problem document. */
  readonly codes: readonly ProblemCode[];
  readonly useCase?: string;
}

export function problemResponse(description: string, { headers = {}, codes, useCase }: AboutProblem): Json {
  const schema = { $ref: '#/components/schemas/Problem' };
  return {
    description,
    headers: { ...HEADER, ...headers },
    content: { 'application/problem+json': { schema, ...exampleProblems(codes, useCase) } },
  };
}

export function sharedResponses(): Json {
  const wait = { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } };
  const challenge = { 'WWW-Authenticate': { $ref: '#/components/headers/Challenge' } };
  const limits = {
    'RateLimit-Limit': { $ref: '#/components/headers/RateLimitLimit' },
    'RateLimit-Remaining': { $ref: '#/components/headers/RateLimitRemaining' },
    'RateLimit-Reset': { $ref: '#/components/headers/RateLimitReset' },
  };
  const shared = (status: number, description: string, headers: Json = {}): Json => ({
    [SHARED[status]!]: problemResponse(description, { headers, codes: codesWith(status) }),
  });
  const unavailable = codesWith(503).map((code) => `\`${code}\``);
  return {
    NotModified: notModified(false),
    ...shared(400, 'The request is not valid. `errors` has the invalid fields.'),
    ...shared(401, 'The request has no valid token.', challenge),
    ...shared(403, 'The role or level of the caller is too low. `detail` says what is required.'),
    ...shared(404, 'Nothing exists here that the caller may see.'),
    ...shared(406, 'The Accept header excludes the media type of the answer.'),
    ...shared(
      412,
      'The version of the record differs from If-Match, or a filter finds another number of tasks than expected.',
    ),
    ...shared(413, 'The body is too large.'),
    ...shared(415, 'The body is not application/json in UTF-8.'),
    ...shared(428, 'The service is configured to require If-Match.'),
    ...shared(429, 'The request exceeds a limit of the service.', { ...wait, ...limits }),
    ...shared(500, 'The service failed unexpectedly.'),
    ...shared(503, `${unavailable.join(', ')}: try again.`, wait),
  };
}
