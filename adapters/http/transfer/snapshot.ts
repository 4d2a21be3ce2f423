import type { Engine } from '../../../core/engine.ts';
import type { SnapshotItem } from '../../../core/index.ts';
import { snapshotTo } from '../../formats/jsonl/index.ts';
import { normaliseWorkspace } from '../../schemas/index.ts';
import type { Limits } from '../limits.ts';
import type { HttpOptions } from '../options.ts';
import type { Authentication } from '../request/authentication.ts';
import { queryReader } from '../request/query.ts';
import type { Handler } from '../request/request-context.ts';
import { signedIn } from '../request/signed-in.ts';
import { requireAcceptable } from '../response/negotiation.ts';
import { CURSOR, type Headers } from '../response/reply.ts';
import { announcedReply, LINES, streamReply, type Streamed } from './stream-reply.ts';

const readQuery = queryReader({});

/** Streams all that the caller sees of a workspace. */
export function snapshotHandler(
  options: HttpOptions,
  engine: Engine,
  authentication: Authentication,
  limits: Limits,
): Handler {
  return (exchange) =>
    signedIn(authentication, exchange, async (caller) => {
      const { request, requestId, search, params } = exchange;
      requireAcceptable(request, LINES);
      readQuery(search);
      const call = { caller, requestId };
      const workspaceId = normaliseWorkspace(params['id']!);
      const streamed: Streamed<SnapshotItem> = {
        name: 'snapshot',
        async produce(sink) {
          const end = await limits.snapshot(caller);
          await engine.changes.snapshot(call, { workspaceId, sink }).finally(end);
        },
        linesTo: snapshotTo,
        headersOf: (first): Headers => (first.kind === 'head' ? { [CURSOR]: first.cursor } : {}),
      };
      return request.method === 'HEAD' ? announcedReply(streamed) : streamReply(options, call, streamed);
    });
}
