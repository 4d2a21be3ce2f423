import type { Engine } from '../../../core/engine.ts';
import type { TransferRecord } from '../../../core/index.ts';
import { linesTo } from '../../formats/jsonl/index.ts';
import { normaliseWorkspace } from '../../schemas/index.ts';
import type { Authentication } from '../request/authentication.ts';
import type { Handler } from '../request/request-context.ts';
import { requireAcceptable } from '../response/negotiation.ts';
import type { HttpOptions } from '../options.ts';
import { queryReader } from '../request/query.ts';
import { signedIn } from '../request/signed-in.ts';
import { announcedReply, LINES, streamReply, type Streamed } from './stream-reply.ts';

const readQuery = queryReader({});

/** Streams a whole workspace. Access is checked before the response begins. */
export function exportHandler(options: HttpOptions, engine: Engine, authentication: Authentication): Handler {
  return (exchange) =>
    signedIn(authentication, exchange, async (caller) => {
      const { request, requestId, search, params } = exchange;
      requireAcceptable(request, LINES);
      readQuery(search);
      const call = { caller, requestId };
      const workspaceId = normaliseWorkspace(params['id']!);
      const streamed: Streamed<TransferRecord> = {
        name: 'export',
        produce: (sink) => engine.exports.workspace(call, { workspaceId, sink }),
        linesTo,
      };
      return request.method === 'HEAD' ? announcedReply(streamed) : streamReply(options, call, streamed);
    });
}
