import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { serve } from 'h3';
import { createApp } from './app.ts';
import type { Service, ServiceOptions } from './options.ts';
import { limitUploadTime } from './request/request-timeout.ts';

/** How long a client may take, in milliseconds, against those who hold connections open by sending slowly. */
const LIMITS = {
  headersTimeout: 10_000,
  // Of each request by itself.
  requestTimeout: 0,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 5_000,
  // An address with many filters and a cursor is long.
  maxHeaderSize: 32 * 1024,
};

/** In a worker of `node:cluster`: on the address that all of them have. Anywhere else it says nothing. */
const SHARED = { exclusive: false };

/** Starts listening. Signals are left to the caller. @throws what listening throws, such as EADDRINUSE */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { host = '127.0.0.1', port = 4800, drainTimeout = 10_000, requestTimeout = 30_000 } = options;
  let closing: Promise<void> | undefined;
  const app = createApp(options, () => closing !== undefined);
  const running = serve(app, {
    hostname: host,
    port,
    silent: true,
    gracefulShutdown: false,
    node: { ...LIMITS, ...SHARED },
  });
  const server = running.node!.server as Server;
  const idle = idleConnections(server);
  server.on('request', (message, response) => limitUploadTime(message, response, requestTimeout));
  await running.ready();
  return {
    url: running.url!.replace(/\/$/, ''),
    close() {
      closing ??= drained(server, idle, drainTimeout);
      return closing;
    },
  };
}

/** The connections on which no request is running. Node counts a fresh one as busy; a browser opens some in advance. */
function idleConnections(server: Server): ReadonlySet<Socket> {
  const idle = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    idle.add(socket);
    socket.once('close', () => idle.delete(socket));
  });
  server.on('request', ({ socket }: { socket: Socket }, response: ServerResponse) => {
    idle.delete(socket);
    response.once('close', () => {
      if (!socket.destroyed) idle.add(socket);
    });
  });
  return idle;
}

async function drained(server: Server, idle: ReadonlySet<Socket>, timeout: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  for (const socket of idle) socket.destroy();
  const timer = setTimeout(() => server.closeAllConnections(), timeout);
  await closed;
  clearTimeout(timer);
}
