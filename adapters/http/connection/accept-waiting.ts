import type { Server } from 'node:http';
import { nextTurn } from '../../event-loop/next-turn.ts';

/**
 * The longest turn of the event loop, in milliseconds, after which the server may stop listening: a connection that
 * arrives in that turn may not be accepted any more.
 */
const SHORT_TURN = 0.2;

/**
 * Resolves when no connection waits to be accepted, after a short turn of the event loop. If the server stopped
 * listening before, the operating system would reset those that wait, and their clients may have sent requests.
 *
 * @param isOver whether to wait no longer, as new connections may never cease to arrive
 * @param now in milliseconds
 */
export async function acceptWaiting(
  server: Pick<Server, 'on' | 'off'>,
  isOver: () => boolean,
  now: () => number = () => performance.now(),
): Promise<void> {
  let hasAccepted: boolean;
  const accepted = () => void (hasAccepted = true);
  server.on('connection', accepted);
  // The present turn may have accepted a connection already, and accepts only one.
  await nextTurn();
  let time = now();
  let start: number;
  do {
    hasAccepted = false;
    start = time;
    await nextTurn();
    time = now();
  } while ((hasAccepted || time - start > SHORT_TURN) && !isOver());
  server.off('connection', accepted);
}
