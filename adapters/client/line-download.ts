import type { CallOptions } from '../../core/session.ts';
import { JSON_LINES } from '../schemas/http-names.ts';
import { expectOk, notEspalier } from './answer.ts';
import { segmentOf } from './path.ts';
import { sendable } from './sendable.ts';
import { unreachable, withRetries } from './send.ts';
import type { Authorization, RemoteService } from './remote-service.ts';
import { stallTimeout, type StallTimeout } from './stall-timeout.ts';

/** The body of an answer in lines about a workspace, as it arrives. @throws the reason of the signal */
export async function* downloadedLines(
  service: RemoteService,
  workspaceId: string,
  what: string,
  call: CallOptions = {},
): AsyncGenerator<Uint8Array> {
  const { base, transport } = service;
  const url = `${base}/api/workspace/${segmentOf(workspaceId)}/${what}`;
  const given = call.signal as AbortSignal | undefined;
  const idle = stallTimeout(transport.timeout, given);
  const id = call.requestId === undefined ? {} : { 'x-request-id': sendable(call.requestId) };
  const retried = {
    isRepeatable: () => true,
    attempt: (authorization: Authorization) => {
      const headers = { ...authorization, ...id, accept: JSON_LINES };
      return transport.fetch(url, { headers, redirect: 'manual', signal: idle.restart() });
    },
  };
  try {
    const response = await expectOk(base, await withRetries(service, { ...retried, signal: given }));
    if (response.headers.get('content-type')?.startsWith(JSON_LINES) !== true) throw notEspalier(base, 'no JSON Lines');
    yield* watched(base, idle, response.body as unknown as AsyncIterable<Uint8Array>);
  } catch (error) {
    given?.throwIfAborted();
    throw error;
  } finally {
    idle.end();
  }
}

/** The chunks of a response as they arrive. The stall timeout is paused while the consumer is working. */
async function* watched(
  base: string,
  idle: StallTimeout,
  parts: AsyncIterable<Uint8Array>,
): AsyncIterableIterator<Uint8Array> {
  try {
    for await (const part of parts) {
      idle.pause();
      yield part;
      idle.moved();
    }
  } catch (error) {
    throw unreachable(base, error);
  }
}
