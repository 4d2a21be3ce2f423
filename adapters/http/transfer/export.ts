import type { Call } from '../../../core/ports/context.ts';
import type { Engine } from '../../../core/engine.ts';
import type { TransferRecord } from '../../../core/index.ts';
import { linesTo, type LinesWriter } from '../../formats/jsonl/index.ts';
import { normaliseWorkspace } from '../../schemas/index.ts';
import type { Authentication } from '../request/authentication.ts';
import type { Handler } from '../request/request-context.ts';
import { requireAcceptable } from '../response/negotiation.ts';
import { STALL_TIMEOUT, type HttpOptions } from '../options.ts';
import { queryReader } from '../request/query.ts';
import type { Reply } from '../response/reply.ts';
import { signedIn } from '../request/signed-in.ts';
import { outflow } from './backpressure-stream.ts';

export const LINES = 'application/x-ndjson';

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
      return request.method === 'HEAD'
        ? announced(engine, call, workspaceId)
        : streamed(options, engine, call, workspaceId);
    });
}

const replyWith = (body: ReadableStream<Uint8Array>): Reply => ({
  status: 200,
  headers: { 'content-type': LINES },
  body,
});

class Allowed extends Error {}

async function announced(engine: Engine, call: Call, workspaceId: string): Promise<Reply> {
  const sink = () => {
    throw new Allowed();
  };
  try {
    await engine.exports.workspace(call, { workspaceId, sink });
  } catch (error) {
    if (!(error instanceof Allowed)) throw error;
  }
  return replyWith(new ReadableStream({ start: (controller) => controller.close() }));
}

function streamed(options: HttpOptions, engine: Engine, call: Call, workspaceId: string): Promise<Reply> {
  const { writable, readable } = outflow(options.stallTimeout ?? STALL_TIMEOUT);
  return new Promise((resolve, reject) => {
    let lines: LinesWriter | undefined;
    // Reading the first record checks the access to all of them.
    const begun = (): LinesWriter => {
      resolve(replyWith(readable));
      return (lines = linesTo(writable));
    };
    const sink = (record: TransferRecord) => (lines ?? begun()).write(record);
    const all = async () => {
      await engine.exports.workspace(call, { workspaceId, sink });
      await (lines ?? begun()).end();
      writable.end();
    };
    all().catch((error: unknown) => {
      reject(error);
      if (lines === undefined) return;
      options.logger?.error({ requestId: call.requestId, err: error }, 'export broke off');
      writable.destroy(error as Error);
    });
  });
}
