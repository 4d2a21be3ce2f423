import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { acceptFirst } from './accept-first.ts';
import type { ConnectionLimits } from './connection-limits.ts';
import { WRITTEN } from '../response/outlet.ts';
import { UnreadResponses } from './unread-responses.ts';

/** Why the server refused or closed a connection. */
export type Closed = 'too-many-connections' | 'too-many-pipelined' | 'stalled' | 'too-much-unread';

/** The connections of a server. */
export interface Connections {
  /** Closes connections without a running request: at once, and each of the others when its request has ended. */
  closeIdle(): void;
}

/** How often a connection with an unread response is looked at, in milliseconds. Node passes over a look where there was progress. */
const LOOK_EVERY = 5_000;

/** The most pipelined requests that wait behind another one, over all connections. Each takes about 2 KB. */
const MAX_WAITING = 10_000;

const REFUSAL = [
  'HTTP/1.1 503 Service Unavailable',
  'Connection: close',
  'Retry-After: 5',
  'Content-Length: 0',
  '\r\n',
].join('\r\n');

interface PendingRequest {
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
}

interface Connection {
  running: ServerResponse | null;
  readonly waiting: PendingRequest[];
  /** For how long nothing was sent or taken, up to `lookedAt`. */
  quietFor: number;
  /** When it was looked at last. */
  lookedAt: number;
}

/**
 * Wraps the request listener of a server. Connections are accepted before requests start ({@link acceptFirst}). Each
 * connection has one running request: the next starts when the operating system has accepted the whole response before it
 * (RFC 9112, section 9.3.2), and no more are read while one waits. So an unread connection costs one response, and
 * `unreadLimit` bounds them all.
 *
 * @param closed called for each connection that a limit refuses or closes
 * @param now in milliseconds
 */
export function limitConnections(
  server: Server,
  { maxConnections, stallTimeout, unreadLimit }: ConnectionLimits,
  closed: (reason: Closed) => void,
  now: () => number = () => performance.now(),
): Connections {
  const listeners = server.listeners('request') as RequestListener[];
  const open = new Map<Socket, Connection>();
  const start = acceptFirst(server);
  let waiting = 0;
  let isClosing = false;

  const interval = Math.min(stallTimeout, LOOK_EVERY);
  /** Whether nothing was sent or taken for `stallTimeout`. */
  const isQuiet = ({ timeout = interval }: Socket, connection: Connection): boolean => {
    const time = now();
    // A look was passed over: there was progress.
    if (time - connection.lookedAt >= 2 * interval - 1) connection.quietFor = 0;
    connection.lookedAt = time;
    connection.quietFor += timeout;
    return connection.quietFor >= stallTimeout;
  };

  const close = (socket: Socket, reason: Closed): void => {
    closed(reason);
    socket.destroy();
    unread.delete(socket);
  };
  const unread = new UnreadResponses(unreadLimit, interval, (socket) => close(socket, 'too-much-unread'));

  const run = (socket: Socket, connection: Connection, { message, response }: PendingRequest): void => {
    connection.running = response;
    response.on('prefinish', () => unread.written(socket));
    // A stream of events is never finished.
    response.on(WRITTEN, () => unread.written(socket));
    response.on('close', () => ended(socket, connection));
    start(() => {
      if (socket.destroyed) return;
      for (const listener of listeners) listener(message, response);
    });
  };

  const ended = (socket: Socket, connection: Connection): void => {
    unread.delete(socket);
    connection.running = null;
    if (socket.destroyed) return;
    const next = connection.waiting.shift();
    if (next === undefined) {
      if (isClosing) socket.destroySoon();
      return;
    }
    waiting -= 1;
    if (connection.waiting.length === 0) socket.resume();
    run(socket, connection, next);
  };

  const take: RequestListener = (message, response) => {
    const { socket } = message;
    const connection = open.get(socket);
    // Refused, or closed in the middle of a request.
    if (connection === undefined || socket.destroyed) return;
    const pending = { message, response };
    if (connection.running === null) run(socket, connection, pending);
    else if (waiting >= MAX_WAITING) close(socket, 'too-many-pipelined');
    else {
      waiting += 1;
      connection.waiting.push(pending);
      socket.pause();
    }
  };

  server.removeAllListeners('request');
  server.on('request', take);
  server.on('connection', (socket: Socket) => {
    if (open.size >= maxConnections) {
      closed('too-many-connections');
      socket.end(REFUSAL, () => socket.destroy());
      return;
    }
    const connection: Connection = { running: null, waiting: [], quietFor: 0, lookedAt: 0 };
    open.set(socket, connection);
    socket.once('close', () => {
      open.delete(socket);
      unread.delete(socket);
      waiting -= connection.waiting.length;
      connection.waiting.length = 0;
    });
  });
  // Node emits 'timeout' where nothing was sent or taken for that long, and leaves the connection open.
  server.setTimeout(stallTimeout, (socket) => {
    const connection = open.get(socket);
    if (connection?.running == null) {
      socket.destroy();
      return;
    }
    // Nothing of an answer waits for the client: the request is worked on.
    if (socket.writableLength === 0) return;
    if (isQuiet(socket, connection)) close(socket, 'stalled');
    else socket.setTimeout(interval);
  });

  return {
    closeIdle() {
      isClosing = true;
      for (const [socket, { running }] of open) if (running === null) socket.destroy();
    },
  };
}
