import { onAbort } from '../ports/cancellation.ts';
import type { Context } from '../ports/context.ts';
import type { ChangeRead, ChangeSlice } from './slice.ts';

/**
 * Reads again whenever something was written, until there are events or the time is up. Each read decides access and
 * token anew. Writes during a read lead to one further read, however many they are.
 *
 * @param seconds the longest wait; it ends earlier when the token expires or the service closes
 * @param first without events
 * @returns the last read, so its cursor is after all changes without events
 * @throws the reason of the call's signal
 */
export async function whenChanged(
  context: Context,
  seconds: number,
  first: ChangeRead,
  readAfter: (cursor: string) => Promise<ChangeRead>,
): Promise<ChangeSlice> {
  const { wakeUps, timers, signal, onPassed } = context;
  if (wakeUps === undefined || timers === undefined) return first.slice;
  const { workspaceId } = first;
  const { userId = null, tokenId = null } = context.effects ?? {};
  const listener = wakeUps.listen(workspaceId, userId, tokenId);
  const wake = () => listener.wake();
  let isTimeUp = false;
  const cancel = timers.after(longestWait(context, seconds), () => {
    isTimeUp = true;
    wake();
  });
  const forget = onAbort(signal, wake);
  try {
    let { cursor } = first.slice;
    for (;;) {
      onPassed?.(cursor);
      if (signal?.aborted === true) throw signal.reason as Error;
      const isLast = isTimeUp || wakeUps.isClosed;
      listener.reset();
      const { slice, offset } = await readAfter(cursor);
      if (slice.items.length > 0 || isLast) return slice;
      cursor = slice.cursor;
      listener.offset = offset;
      if (slice.next === null) await listener.woken();
    }
  } finally {
    cancel();
    forget();
    wakeUps.stopListening(listener, workspaceId, userId);
  }
}

/** In milliseconds: no longer than the token of the caller is valid. */
function longestWait({ effects, clock }: Context, seconds: number): number {
  const expiresAt = effects?.expiresAt ?? null;
  const left = expiresAt === null ? Infinity : Math.max(0, Date.parse(expiresAt) - clock.now());
  return Math.min(seconds * 1_000, left);
}
