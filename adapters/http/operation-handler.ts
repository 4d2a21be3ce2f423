import type { Call } from '../../core/context.ts';
import type { Slice } from '../../core/record.ts';
import type { Engine } from '../../core/engine.ts';
import type { Operation } from '../schemas/index.ts';
import type { Authentication } from './authentication.ts';
import { entityTag, expectedVersions, isKnown } from './conditional.ts';
import type { Exchange, Handler } from './exchange.ts';
import { onceOf, sha256 } from './idempotency.ts';
import { inputReader } from './input.ts';
import type { Limits } from './limits.ts';
import { requireAcceptable } from './negotiation.ts';
import { BODY_LIMIT, type HttpOptions } from './options.ts';
import { pagingHeaders } from './paging.ts';
import { Refusal } from './problem.ts';
import { jsonReply, type Headers, type Reply } from './reply.ts';
import { signedIn } from './signed-in.ts';

type Run = (call: Call, input: unknown) => Promise<unknown>;

/** Who knows the id of an invitation may use it, so that it pays to guess one. */
const BY_SECRET_ID: ReadonlySet<string> = new Set(['invitations.read', 'invitations.join']);

/** Answers one operation. @param engine validates its input */
export function operationHandler(
  operation: Operation,
  engine: Engine,
  authentication: Authentication,
  limits: Limits,
  options: Pick<HttpOptions, 'bodyLimit' | 'requireIfMatch'>,
): Handler {
  const { bodyLimit = BODY_LIMIT, requireIfMatch = false } = options;
  const run = useCase(engine, operation);
  const readInput = inputReader(operation);
  return (exchange) =>
    signedIn(authentication, exchange, async (caller) => {
      requireAcceptable(exchange.request);
      const { input, body } = await readInput(exchange, bodyLimit);
      const { requestId, request } = exchange;
      if (requireIfMatch) requirePrecondition(operation, request);
      const versions = operation.conditional ? expectedVersions(request.headers.get('if-match')) : undefined;
      const once = onceOf(exchange, () => sha256(body));
      const call = { caller, requestId, ...(versions && { ifVersion: versions }), ...(once && { once }) };
      const isGuess = BY_SECRET_ID.has(operation.useCase);
      const result = isGuess ? await limits.guess(exchange, caller, () => run(call, input)) : await run(call, input);
      return replyWith(operation, exchange, result);
    });
}

function requirePrecondition({ conditional, method }: Operation, { headers }: Request): void {
  if (!conditional || method === 'POST' || headers.has('if-match')) return;
  throw new Refusal('precondition-required', 'This needs an If-Match header with the entity tag of what was read.');
}

function useCase(engine: Engine, { useCase: name }: Operation): Run {
  const [noun, verb] = name.split('.');
  return (engine as unknown as Record<string, Record<string, Run>>)[noun!]![verb!]!;
}

function replyWith(operation: Operation, exchange: Exchange, result: unknown): Reply {
  const { method, status, paged, location } = operation;
  if (status === 204) return { status };
  const slice = paged ? (result as Slice<unknown>) : undefined;
  const shown = slice === undefined ? (result as object) : slice.items;
  const body = JSON.stringify(shown);
  const headers: Record<string, string> = {
    'cache-control': method === 'GET' ? 'private, no-cache' : 'no-store',
    ...(slice && pagingHeaders(exchange.path, exchange.search, slice)),
    ...(status === 201 && location !== undefined && locationOf(location, exchange, shown)),
  };
  if (Array.isArray(shown)) return jsonReply(status, body, headers);
  const etag = entityTag(shown, body);
  const found = { ...headers, etag };
  if (method !== 'GET' || !isKnown(exchange.request.headers.get('if-none-match'), etag)) {
    return jsonReply(status, body, found);
  }
  return { status: 304, headers: found };
}

function locationOf(template: string, { params }: Exchange, record: object): Headers {
  const values: Readonly<Record<string, string>> = { workspaceId: params['id']!, ...params, ...record };
  return { location: template.replace(/\{(\w+)\}/g, (_, name: string) => values[name]!) };
}
