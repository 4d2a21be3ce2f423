import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { acceptFirst } from './accept-first.ts';
import { nextTurn } from '../../event-loop/next-turn.ts';
import type { ConnectionLimits } from './connection-limits.ts';
import { markHalfClosed } from '../request/client-gone.ts';
import { WRITTEN } from '../response/outlet.ts';
import { UnreadResponses } from './unread-responses.ts';

/** Why the server refused or closed a connection. */
export type Closed = 'too-many-connections' | 'too-many-pipelined' | 'stalled' | 'too-much-unread';

/** The connections of a server. */
export interface Connections {
  /**
   * Closes connections without a request: after the requests that have arrived are read, and each of the others when
   * its request has ended.
   */
  closeIdle(): Promise<void>;
}

/** How often a connection with an unread response is checked, in milliseconds. Node skips a check if there was progress. */
const CHECK_EVERY = 5_000;

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

interface ClientConnection {
  running: ServerResponse | null;
  readonly waiting: PendingRequest[];
  /** For how long no data was sent or read, up to `checkedAt`. */
  quietFor: number;
  /** When it was last checked. */
  checkedAt: number;
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
  limits: ConnectionLimits,
  closed: (reason: Closed) => void,
  now: () => number = () => performance.now(),
): Connections {
  return new LimitedConnections(server, limits, closed, now);
}

class LimitedConnections implements Connections {
  readonly #limits: ConnectionLimits;
  readonly #closed: (reason: Closed) => void;
  readonly #now: () => number;
  readonly #listeners: readonly RequestListener[];
  readonly #start: (begin: () => void) => void;
  readonly #interval: number;
  readonly #unread: UnreadResponses;
  readonly #open = new Map<Socket, ClientConnection>();
  /** Pipelined requests that wait, over all connections. */
  #waiting = 0;
  #isClosing = false;

  constructor(server: Server, limits: ConnectionLimits, closed: (reason: Closed) => void, now: () => number) {
    this.#limits = limits;
    this.#closed = closed;
    this.#now = now;
    this.#listeners = server.listeners('request') as RequestListener[];
    this.#start = acceptFirst(server);
    this.#interval = Math.min(limits.stallTimeout, CHECK_EVERY);
    this.#unread = new UnreadResponses(limits.unreadLimit, this.#interval, (socket) =>
      this.#close(socket, 'too-much-unread'),
    );
    server.removeAllListeners('request');
    server.on('request', (message, response) => this.#take({ message, response }));
    server.on('connection', (socket: Socket) => this.#add(socket));
    // Node emits 'timeout' if no data was sent or read for that long, and leaves the connection open.
    server.setTimeout(limits.stallTimeout, (socket) => this.#check(socket));
  }

  async closeIdle(): Promise<void> {
    // What has arrived is answered: a connection that is accepted in one turn of the event loop is read in the next.
    await nextTurn();
    await nextTurn();
    this.#isClosing = true;
    for (const [socket, { running }] of this.#open) if (running === null) socket.destroy();
  }

  #add(socket: Socket): void {
    if (this.#open.size >= this.#limits.maxConnections) {
      this.#closed('too-many-connections');
      socket.end(REFUSAL, () => socket.destroy());
      return;
    }
    const connection: ClientConnection = { running: null, waiting: [], quietFor: 0, checkedAt: 0 };
    this.#open.set(socket, connection);
    socket.once('end', () => connection.running && markHalfClosed(connection.running.req));
    socket.once('close', () => {
      this.#open.delete(socket);
      this.#unread.delete(socket);
      this.#waiting -= connection.waiting.length;
      connection.waiting.length = 0;
    });
  }

  #take(request: PendingRequest): void {
    const { socket } = request.message;
    const connection = this.#open.get(socket);
    // Refused, or closed in the middle of a request.
    if (connection === undefined || socket.destroyed) return;
    if (connection.running === null) this.#run(socket, connection, request);
    else if (this.#waiting >= MAX_WAITING) this.#close(socket, 'too-many-pipelined');
    else {
      this.#waiting += 1;
      connection.waiting.push(request);
      socket.pause();
    }
  }

  #run(socket: Socket, connection: ClientConnection, { message, response }: PendingRequest): void {
    connection.running = response;
    response.on('prefinish', () => this.#unread.written(socket));
    // A stream of events is never finished.
    response.on(WRITTEN, () => this.#unread.written(socket));
    response.on('close', () => this.#ended(socket, connection));
    this.#start(() => {
      if (socket.destroyed) return;
      for (const listener of this.#listeners) listener(message, response);
    });
  }

  #ended(socket: Socket, connection: ClientConnection): void {
    this.#unread.delete(socket);
    connection.running = null;
    if (socket.destroyed) return;
    const next = connection.waiting.shift();
    if (next === undefined) {
      if (this.#isClosing) socket.destroySoon();
      return;
    }
    this.#waiting -= 1;
    if (connection.waiting.length === 0) socket.resume();
    this.#run(socket, connection, next);
  }

  /** Closes a connection that is idle or stalled. */
  #check(socket: Socket): void {
    const connection = this.#open.get(socket);
    if (connection?.running == null) {
      socket.destroy();
      return;
    }
    // No part of an answer waits for the client: the request is still being processed.
    if (socket.writableLength === 0) return;
    if (this.#isStalled(socket, connection)) this.#close(socket, 'stalled');
    else socket.setTimeout(this.#interval);
  }

  /** Whether no data was sent or read for `stallTimeout`. */
  #isStalled({ timeout = this.#interval }: Socket, connection: ClientConnection): boolean {
    const time = this.#now();
    // A check was skipped: there was progress.
    if (time - connection.checkedAt >= 2 * this.#interval - 1) connection.quietFor = 0;
    connection.checkedAt = time;
    connection.quietFor += timeout;
    return connection.quietFor >= this.#limits.stallTimeout;
  }

  #close(socket: Socket, reason: Closed): void {
    this.#closed(reason);
    socket.destroy();
    this.#unread.delete(socket);
  }
}
