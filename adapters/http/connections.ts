import { readFileSync } from 'node:fs';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface ConnectionLimits {
  /** How many may be open at once. */
  readonly maxConnections: number;
  /** How long a client may take nothing of an answer, in milliseconds. */
  readonly stallTimeout: number;
  /** Bytes of answers, over all connections, that clients have not taken yet. */
  readonly unreadLimit: number;
}

/** Why a connection was refused or closed before its client ended it. */
export type Closed = 'too-many-connections' | 'too-many-pipelined' | 'stalled' | 'too-much-unread';

/** The connections of a server. */
export interface Connections {
  /** Closes those on which no request is running. */
  closeIdle(): void;
}

/** Requests that have arrived behind another one on their connection, over all connections. Each is about 2 KB. */
const MOST_WAITING = 10_000;

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
}

/**
 * Puts itself between a server and its request listener. Of each connection one request is running at a time: the
 * next starts when the operating system has taken all of the answer before (RFC 9112, section 9.3.2), and as long as
 * one waits no more are read. So what a client does not read costs one answer, and `unreadLimit` bounds those of all.
 *
 * @param closed hears of each connection that is refused or closed because of a limit
 */
export function limitConnections(
  server: Server,
  { maxConnections, stallTimeout, unreadLimit }: ConnectionLimits,
  closed: (reason: Closed) => void,
): Connections {
  const listeners = server.listeners('request') as RequestListener[];
  const open = new Map<Socket, Connection>();
  /** Those with an answer that is written and not yet taken, the oldest first. */
  const unread = new Set<Socket>();
  let waiting = 0;
  let checking: NodeJS.Immediate | null = null;

  const close = (socket: Socket, reason: Closed): void => {
    closed(reason);
    socket.destroy();
    unread.delete(socket);
  };

  const run = (socket: Socket, connection: Connection, { message, response }: PendingRequest): void => {
    connection.running = response;
    response.on('prefinish', () => written(socket));
    response.on('close', () => ended(socket, connection));
    for (const listener of listeners) listener(message, response);
  };

  const written = (socket: Socket): void => {
    if (socket.writableLength === 0) return;
    unread.add(socket);
    checking ??= setImmediate(closeOldest);
  };

  /** Once for all answers of one turn of the event loop: most of them are taken at its end. */
  const closeOldest = (): void => {
    checking = null;
    let total = 0;
    for (const { writableLength } of unread) total += writableLength;
    for (const oldest of unread) {
      if (total <= unreadLimit) return;
      total -= oldest.writableLength;
      close(oldest, 'too-much-unread');
    }
  };

  const ended = (socket: Socket, connection: Connection): void => {
    unread.delete(socket);
    connection.running = null;
    if (socket.destroyed) return;
    const next = connection.waiting.shift();
    if (next === undefined) return;
    waiting -= 1;
    if (connection.waiting.length === 0) socket.resume();
    run(socket, connection, next);
  };

  const take: RequestListener = (message, response) => {
    const { socket } = message;
    const connection = open.get(socket);
    // Refused, or closed in the middle of what it had sent.
    if (connection === undefined || socket.destroyed) return;
    const pending = { message, response };
    if (connection.running === null) run(socket, connection, pending);
    else if (waiting >= MOST_WAITING) close(socket, 'too-many-pipelined');
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
    const connection: Connection = { running: null, waiting: [] };
    open.set(socket, connection);
    socket.once('close', () => {
      open.delete(socket);
      unread.delete(socket);
      waiting -= connection.waiting.length;
      connection.waiting.length = 0;
    });
  });
  // Node tells of a connection on which nothing has been sent or received for so long, and leaves it open.
  server.setTimeout(stallTimeout, (socket) => {
    const running = open.get(socket)?.running ?? null;
    const isWorking = running !== null && socket.writableLength === 0;
    if (isWorking) return;
    if (running === null) socket.destroy();
    else close(socket, 'stalled');
  });

  return {
    closeIdle() {
      for (const [socket, { running }] of open) if (running === null) socket.destroy();
    },
  };
}

/** Connections that a service takes unless told otherwise, where the process may have descriptors for them. */
const MAX_CONNECTIONS = 4_096;
/** The part of the descriptors of the process that connections may take: the store and its files need some, too. */
const SHARE = 3 / 4;

/** The number of connections to take, as {@link ConnectionLimits} has it, where nothing else has been set. */
export function defaultMaxConnections(): number {
  return Math.min(MAX_CONNECTIONS, Math.floor(openFilesLimit() * SHARE));
}

/** How many descriptors the process may have; what cannot be told, such as outside of Linux, counts as no limit. */
function openFilesLimit(): number {
  try {
    const soft = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return soft === undefined ? Infinity : Number(soft);
  } catch {
    return Infinity;
  }
}
