import { whenAborted } from '../../event-loop/when-aborted.ts';
import type { WatchChanges } from '../../../core/changes/watch.ts';
import { watchOperation } from '../../schemas/index.ts';
import type { HttpParts } from '../http-parts.ts';
import { inputReader } from '../request/input.ts';
import { clientGone } from '../request/client-gone.ts';
import type { Handler } from '../request/request-context.ts';
import { signedIn } from '../request/signed-in.ts';
import { requestWithWorkspaceId, workspaceParameter } from '../request/workspace-address.ts';
import { varyBy, type WriteBody } from '../response/reply.ts';
import { CURSOR, EVENT_STREAM } from '../../schemas/http-names.ts';

/** Keeps caches and proxies from storing, compressing or buffering the stream. */
const HEADERS = { 'content-type': EVENT_STREAM, 'cache-control': 'no-store, no-transform', 'x-accel-buffering': 'no' };

/** Answers with a stream of events. A call that is refused is refused before the stream begins. */
export function eventsHandler({ engine, authentication, limits, largeAnswers, streams }: HttpParts): Handler {
  const readInput = inputReader(watchOperation);
  const workspace = workspaceParameter(watchOperation);
  return (given) =>
    signedIn(authentication, given, async (caller) => {
      const context = await requestWithWorkspaceId(engine, caller, given, workspace);
      const { request, requestId, responseHeaders } = context;
      varyBy(responseHeaders, 'Accept');
      const { input } = await readInput(context, 0, () => authentication.confirm(caller));
      // A reconnecting browser repeats the URL, and sends the id of the last event in this header.
      const lastEventId = request.headers.get('last-event-id') ?? '';
      if (lastEventId !== '') input['since'] = lastEventId;
      const leave = await limits.streams.acquire(caller);
      const gone = new AbortController();
      const { before: beforeLargeAnswer, made } = largeAnswers.turns(gone);
      const ended = () => {
        gone.abort();
        leave();
      };
      try {
        const call = { caller, requestId, beforeLargeAnswer };
        const changes = await engine.changes.watch(call, input as unknown as WatchChanges);
        const headers = { ...HEADERS, [CURSOR]: changes.cursor };
        if (request.method !== 'HEAD') {
          const body: WriteBody = (outlet) => {
            streams.run(changes, outlet, { requestId, made, ended });
            void whenAborted(clientGone(context)).then(() => outlet.cut());
          };
          return { status: 200, headers, body };
        }
        changes.close();
        leave();
        return { status: 200, headers };
      } catch (error) {
        leave();
        throw error;
      }
    });
}
