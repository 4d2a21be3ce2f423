import type { ChangeEvent } from '../model/log/change-event.ts';
import { type Cancellation, onAbort } from '../ports/cancellation.ts';
import type { ChangeStream } from './watch.ts';

/** How a consumer of events ends the stream, and how it learns where to resume. */
export interface FollowOptions {
  /** Ends it, without an error. */
  readonly signal?: Cancellation | undefined;
  /**
   * Called with the cursor to resume from: at the start, and whenever everything up to it was taken. A resumed stream
   * repeats events taken after the last cursor.
   */
  readonly onCursor?: ((cursor: string) => void) | undefined;
}

/** The events of a stream, which is opened by the first request for one, and closed when the consumer stops. */
export async function* eventsOf(
  open: () => Promise<ChangeStream>,
  { signal, onCursor }: FollowOptions,
): AsyncIterableIterator<ChangeEvent> {
  const isEnded = () => signal?.aborted === true;
  if (isEnded()) return;
  const stream = await open();
  const close = () => stream.close();
  const forget = onAbort(signal, close);
  if (isEnded()) close();
  /**
   * The events already taken from a slice that is read again, because access to it has changed or could not be checked.
   */
  const taken = new Set<string>();
  try {
    onCursor?.(stream.cursor);
    for (;;) {
      const slice = await stream.next();
      if (slice === null) return;
      let isInSight = true;
      for (const event of slice.items) {
        const name = nameOf(event);
        if (taken.has(name)) continue;
        isInSight = await stream.isInSight(event);
        if (!isInSight) break;
        taken.add(name);
        yield event;
        if (isEnded()) return;
      }
      if (!isInSight) continue;
      taken.clear();
      onCursor?.(slice.cursor);
    }
  } finally {
    forget();
    close();
  }
}

/** A name for an event: the same if it is read again, and another one once its record has changed. */
function nameOf({ seq, part, type, id }: ChangeEvent): string {
  return `${seq} ${part} ${type} ${id}`;
}
