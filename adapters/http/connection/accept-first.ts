import type { Server } from 'node:http';
import { setImmediate } from 'node:timers';

/** The most connections that requests wait for: accepting them takes some milliseconds. */
const MOST_AT_ONCE = 100;

/**
 * Accepts waiting connections before it runs requests. Node 20 accepts one connection in a turn of the event loop, and
 * a turn runs the requests of all connections that are ready: of many clients that connect at once, as after a restart,
 * the last would wait for as many such turns as there are clients. So requests that arrive while connections are
 * accepted start after the first turn that accepts none, or after 100 connections.
 *
 * @returns a function that calls its argument at once, or when requests may start
 */
export function acceptFirst(server: Pick<Server, 'on'>): (start: () => void) => void {
  const waiting: (() => void)[] = [];
  let isWaiting = false;
  /** Connections accepted since requests began to wait. */
  let accepted = 0;
  let hasAccepted = false;

  const endOfTurn = (): void => {
    const isOver = !hasAccepted || accepted >= MOST_AT_ONCE;
    hasAccepted = false;
    if (!isOver) {
      setImmediate(endOfTurn);
      return;
    }
    isWaiting = false;
    accepted = 0;
    // Each in a callback of its own, as Node calls the listener of requests.
    for (const start of waiting.splice(0)) setImmediate(start);
  };

  server.on('connection', () => {
    accepted += 1;
    hasAccepted = true;
    if (!isWaiting) setImmediate(endOfTurn);
    isWaiting = true;
  });
  return (start) => {
    if (isWaiting) waiting.push(start);
    else start();
  };
}
