import type { ChangeEvent } from '../../../core/model/log/change-event.ts';
import { recordPieces } from '../response/json.ts';

/** Why the service ends a stream of events. */
export type StreamEnd = 'reconnect' | 'unauthenticated' | 'gone';

/** A comment: it says that the connection is alive. */
export const HEARTBEAT = ':\n\n';

/** An event of the stream (HTML Living Standard, section 9.2.6). @param id absent: the client keeps the previous one */
function eventText(type: string, data: object, id?: string): string {
  return `${beforeData(type, id)}${JSON.stringify(data)}${END}`;
}

function beforeData(type: string, id: string | undefined): string {
  return `event: ${type}\n${id === undefined ? '' : `id: ${id}\n`}data: `;
}

const END = '\n\n';

/** The first event. @param cursor where the stream begins */
export function readyText(cursor: string): string {
  return eventText('ready', {}, cursor);
}

/** The last event. @param cursor after everything that was sent */
export function endText(code: StreamEnd, cursor: string): string {
  return eventText('end', { code }, cursor);
}

/**
 * The events of one read, piece by piece. Only the last one has the cursor: a client that has read some of them gets
 * all of them again, because only together do they lead to the present state.
 */
export function* eventTexts(events: readonly ChangeEvent[], cursor: string): Iterable<string> {
  for (const [i, event] of events.entries()) {
    yield beforeData(event.type, i === events.length - 1 ? cursor : undefined);
    for (const piece of recordPieces(event)) yield piece.toString();
    yield END;
  }
}
