import { nextTurn } from '../../event-loop/next-turn.ts';
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { Call } from '../../../core/ports/context.ts';
import type { Slice } from '../../../core/kernel/record.ts';
import type { Operation } from '../../schemas/index.ts';
import type { Authentication } from '../request/authentication.ts';
import type { Handler } from '../request/request-context.ts';
import { varyBy } from '../response/reply.ts';
import { CURSOR, JSON_LINES } from '../../schemas/http-names.ts';
import { inputReader } from '../request/input.ts';
import { STALL_TIMEOUT, type HttpOptions } from '../options.ts';
import { hasCursor } from '../request/workspace-address.ts';
import { signedIn } from '../request/signed-in.ts';
import { backpressureStream } from './backpressure-stream.ts';
import { logCutOff } from './log-cut-off.ts';

type ListUseCase = (call: Call, input: unknown) => Promise<Slice<object>>;

const PART = 500;

/**
 * Streams a paged list as JSON Lines: from `cursor` on, at most `limit`, or all. Each page is a call of its own, so
 * a caller who loses access gets no more; the stream is then aborted.
 */
export function linesHandler(
  operation: Operation,
  list: ListUseCase,
  authentication: Authentication,
  { stallTimeout = STALL_TIMEOUT, logger }: Pick<HttpOptions, 'stallTimeout' | 'logger'>,
): Handler {
  const readInput = inputReader(operation);
  return (context) =>
    signedIn(authentication, context, async (caller) => {
      const { requestId, request } = context;
      const { input } = await readInput(context, 0, () => authentication.confirm(caller));
      const { limit: most = Infinity } = input as { limit?: number };
      const part = (left: number, from: object, call: Partial<Call> = {}) =>
        list({ caller, requestId, ...call }, { ...input, ...from, limit: Math.min(PART, left) });
      // The first page is read before the headers are sent, so that an error has its status; its cursor counts.
      const headers: Record<string, string> = { 'content-type': JSON_LINES };
      const onCursor = (cursor: string) => void (headers[CURSOR] = cursor);
      const first = await part(most, {}, hasCursor(operation) ? { onCursor } : {});
      const { writable, readable } = backpressureStream(stallTimeout);
      const writeAll = async (): Promise<void> => {
        let left = most;
        for (let slice = first; ; slice = await part(left, { cursor: slice.next })) {
          left -= slice.items.length;
          await write(writable, slice.items);
          if (slice.next === null || left <= 0) break;
        }
        writable.end();
      };
      if (request.method === 'HEAD') writable.end();
      else {
        writeAll().catch((error: unknown) => {
          logCutOff(logger, requestId, 'list', error);
          writable.destroy(error as Error);
        });
      }
      varyBy(context.responseHeaders, 'Accept');
      return { status: 200, headers, body: readable };
    });
}

/** About the number of characters of one write. Other work runs between two writes. */
const TEXT = 65_536;

async function write(out: Writable, items: readonly object[]): Promise<void> {
  let text = '';
  for (const [i, item] of items.entries()) {
    text += `${JSON.stringify(item)}\n`;
    if (text.length < TEXT && i < items.length - 1) continue;
    // A destroyed stream emits no 'drain'.
    if (out.destroyed) throw out.errored ?? new Error('The stream has been closed.');
    const yielded = nextTurn();
    if (!out.write(text)) await once(out, 'drain');
    await yielded;
    text = '';
  }
}
