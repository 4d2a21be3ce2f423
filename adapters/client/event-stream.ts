import { createParser, type EventSourceMessage } from 'eventsource-parser';
import type { StallTimeout } from './stall-timeout.ts';

/** The most characters of one event: twice those of a `scope` with the ids of 10,000 pages. */
const LARGEST_EVENT = 1_000_000;

/** An event of a stream has more than {@link LARGEST_EVENT} characters. */
export class EventTooLarge extends Error {}

/**
 * The events of a response of type `text/event-stream`, parsed as they are requested. The events of one chunk are held
 * at most.
 *
 * @param idle aborts the response; it counts only while this waits for more
 * @throws what reading throws, {@link EventTooLarge}
 */
export async function* sentEvents(
  body: ReadableStream<Uint8Array>,
  idle: StallTimeout,
): AsyncIterableIterator<EventSourceMessage> {
  const found: EventSourceMessage[] = [];
  let isTooLarge = false;
  const parser = createParser({
    maxBufferSize: LARGEST_EVENT,
    onEvent: (event) => void found.push(event),
    onError: (error) => {
      if (error.type === 'max-buffer-size-exceeded') isTooLarge = true;
    },
  });
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    for (;;) {
      idle.moved();
      const { done, value } = await reader.read();
      idle.pause();
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
      yield* found.splice(0);
      if (isTooLarge) throw new EventTooLarge();
    }
  } finally {
    // A reader that has failed has nothing to cancel.
    await reader.cancel().catch(() => undefined);
  }
}
