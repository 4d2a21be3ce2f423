import type { Call } from '../../core/context.ts';
import type { Slice } from '../../core/record.ts';
import type { Engine } from '../../core/engine.ts';
import { EspalierError } from '../../core/errors.ts';
import type { Operation } from '../schemas/index.ts';
import type { Authentication } from './authentication.ts';
import { entityTag, expectedVersions, isKnown } from './conditional.ts';
import type { Exchange, Handler } from './exchange.ts';
import { inputReader } from './input.ts';
import { requireAcceptable } from './negotiation.ts';
import { pagingHeaders } from './paging.ts';
import { Refusal } from './problem.ts';
import { jsonReply, type Headers, type Reply } from './reply.ts';

type Run = (call: Call, input: unknown) => Promise<unknown>;

/**
 * Answers one operation. The use case signs the caller in; only for a request that it does not get to
 * see is that done here, because 401 comes before everything else.
 *
 * @param engine validates its input
 */
export function operationHandler(
  operation: Operation,
  engine: Engine,
  authentication: Authentication,
  bodyLimit: number,
): Handler {
  const run = useCase(engine, operation);
  const readInput = inputReader(operation);
  return async (exchange) => {
    const caller = await authentication.callerOf(exchange);
    try {
      requireAcceptable(exchange.request);
      const input = await readInput(exchange, bodyLimit);
      const { requestId, request } = exchange;
      const versions = operation.conditional ? expectedVersions(request.headers.get('if-match')) : undefined;
      const result = await run({ caller, requestId, ...(versions && { ifVersion: versions }) }, input);
      return replyWith(operation, exchange, result);
    } catch (error) {
      if (isBadRequest(error)) await authentication.confirm(caller);
      throw error;
    }
  };
}

function isBadRequest(error: unknown): boolean {
  return error instanceof Refusal || (error instanceof EspalierError && error.code === 'invalid-input');
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
