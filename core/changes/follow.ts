import type { ChangeEvent } from '../model/log/change-event.ts';
import type { Cancellation } from '../ports/cancellation.ts';
import type { ChangeStream } from './watch.ts';

/** How whoever follows changes ends that, and learns where to go on. */
export interface FollowOptions {
  /** Ends it, without an error. */
  readonly signal?: Cancellation | undefined;
  /**
   * Told the cursor to go on from: where it begins, and whenever everything up to it was taken. What was taken
   * behind the last one comes again.
   */
  readonly onCursor?: ((cursor: string) => void) | undefined;
}

/** The events of a stream, which is opened with the first one that is asked for, and closed when no more are. */
export async function* eventsOf(
  open: () => Promise<ChangeStream>,
  { signal, onCursor }: FollowOptions,
): AsyncIterableIterator<ChangeEvent> {
  const isEnded = () => signal?.aborted === true;
  if (isEnded()) return;
  const stream = await open();
  const close = () => stream.close();
  signal?.addEventListener('abort', close);
  if (isEnded()) close();
  try {
    onCursor?.(stream.cursor);
    for (;;) {
      const slice = await stream.next();
      if (slice === null) return;
      for (const event of slice.items) {
        yield event;
        if (isEnded()) return;
      }
      onCursor?.(slice.cursor);
    }
  } finally {
    signal?.removeEventListener('abort', close);
    close();
  }
}
