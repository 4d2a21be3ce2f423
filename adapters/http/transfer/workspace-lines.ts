import type { Engine } from '../../../core/engine.ts';
import type { SnapshotItem, TransferRecord } from '../../../core/index.ts';
import type { Call } from '../../../core/ports/context.ts';
import { linesTo, snapshotTo } from '../../formats/jsonl/index.ts';
import { normaliseWorkspace } from '../../schemas/index.ts';
import type { ServiceLimits } from '../limits/limits.ts';
import type { HttpOptions } from '../options.ts';
import type { Authentication } from '../request/authentication.ts';
import { queryReader } from '../request/query.ts';
import type { Handler } from '../request/request-context.ts';
import { signedIn } from '../request/signed-in.ts';
import { requireAcceptable } from '../response/negotiation.ts';
import { CURSOR, JSON_LINES } from '../../schemas/http-names.ts';
import type { ResponseHeaders } from '../response/reply.ts';
import { announcedReply, streamReply, type Streamed } from './stream-reply.ts';

/** Starts a stream of items of a workspace. It checks access before it passes on the first item. */
type StreamOf<T> = (call: Call, workspaceId: string) => Streamed<T>;

const readQuery = queryReader({});

/** Answers `GET` and `HEAD` of a workspace with lines. */
export function workspaceLines<T>(
  options: HttpOptions,
  authentication: Authentication,
  streamOf: StreamOf<T>,
): Handler {
  return (context) =>
    signedIn(authentication, context, async (caller) => {
      const { request, requestId, search, params } = context;
      requireAcceptable(request, JSON_LINES);
      readQuery(search);
      const call = { caller, requestId };
      const streamed = streamOf(call, normaliseWorkspace(params['id']!));
      return request.method === 'HEAD' ? announcedReply(streamed) : streamReply(options, call, streamed);
    });
}

/** A whole workspace, and the cursor to follow it from. */
export const exportOf =
  (engine: Engine, { wholeReads }: Pick<ServiceLimits, 'wholeReads'>): StreamOf<TransferRecord> =>
  (call, workspaceId) => {
    let headers: ResponseHeaders = {};
    const onCursor = (cursor: string) => void (headers = { [CURSOR]: cursor });
    return {
      name: 'export',
      async produce(sink) {
        const leave = await wholeReads.acquire(call.caller);
        await engine.exports.workspace({ ...call, onCursor }, { workspaceId, sink }).finally(leave);
      },
      linesTo,
      headersOf: () => headers,
    };
  };

/** Everything that the caller sees in a workspace, and the cursor to follow it from. */
export const snapshotOf =
  (engine: Engine, { wholeReads }: Pick<ServiceLimits, 'wholeReads'>): StreamOf<SnapshotItem> =>
  (call, workspaceId) => ({
    name: 'snapshot',
    async produce(sink) {
      const leave = await wholeReads.acquire(call.caller);
      await engine.changes.snapshot(call, { workspaceId, sink }).finally(leave);
    },
    linesTo: snapshotTo,
    headersOf: (first): ResponseHeaders => (first.kind === 'head' ? { [CURSOR]: first.cursor } : {}),
  });
