import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { serve } from 'h3/node';
import { compileChecks } from '../schemas/index.ts';
import { createApp } from './app.ts';
import { systemTimers } from '../event-loop/timers.ts';
import { acceptWaiting } from './connection/accept-waiting.ts';
import { connectionShare } from './connection/connection-share.ts';
import { connectionLimits } from './connection/connection-limits.ts';
import { limitConnections, type Connections } from './connection/connections.ts';
import { hostLogger } from './host-logger.ts';
import { HEAD_LIMIT, type Service, type ServiceOptions } from './options.ts';
import { requireServiceOptions } from './require-options.ts';
import { markAwaitingContinue } from './request/expect-continue.ts';
import { limitUploadTime } from './request/request-timeout.ts';
import { servedTarget } from './request/served-target.ts';

/** Timeouts in milliseconds, against clients that send slowly to hold connections open. */
const LIMITS = {
  headersTimeout: 10_000,
  // Set for each request by `limitUploadTime`.
  requestTimeout: 0,
  keepAliveTimeout: 5_000,
  connectionsCheckingInterval: 5_000,
  maxHeaderSize: HEAD_LIMIT,
};

/** Connections that may wait to be accepted; the operating system may allow fewer. */
const BACKLOG = 4_096;

/** In a worker of `node:cluster` the address is shared with the other workers; elsewhere this has no effect. */
const SHARED = { exclusive: false };

/**
 * Starts listening. Signals are left to the caller.
 *
 * @throws `invalid-input` for options that are missing, unknown or of another form
 * @throws what listening throws, such as EADDRINUSE
 */
export async function startService(options: ServiceOptions): Promise<Service> {
  requireServiceOptions(options);
  const { host = '127.0.0.1', port = 4800, requestTimeout = 30_000, basePath = '', logger } = options;
  const log = logger && hostLogger(logger);
  let closing: Promise<void> | undefined;
  const draining = new AbortController();
  const app = createApp(options, draining.signal);
  const running = serve(app, {
    hostname: host,
    port,
    silent: true,
    gracefulShutdown: false,
    node: { ...LIMITS, ...SHARED, backlog: BACKLOG },
  });
  const server = running.node!.server as Server;
  // Otherwise Node gives no answer to a client that closes its side of the connection after its request.
  Object.assign(server, { httpAllowHalfOpen: true });
  // Runs before the listener of `serve`, which answers targets that it does not accept by itself.
  server.prependListener('request', (message) => (message.url = servedTarget(message.url!)));
  server.on('request', (message, response) => limitUploadTime(message, response, requestTimeout));
  const share = connectionShare(server);
  const connections = limitConnections(server, connectionLimits(options), (reason) => {
    log?.info({ reason }, 'connection closed');
  });
  server.on('checkContinue', (message: IncomingMessage, response: ServerResponse) => {
    markAwaitingContinue(message, response);
    server.emit('request', message, response);
  });
  // Other values of `Expect` are ignored: without a listener Node would answer 417 itself.
  server.on('checkExpectation', (message: IncomingMessage, response: ServerResponse) => {
    server.emit('request', message, response);
  });
  await running.ready();
  void compileChecks(draining.signal);
  return {
    ...share,
    url: running.url!.replace(/\/$/, '') + basePath,
    close() {
      closing ??= drained(server, connections, () => draining.abort(), options);
      return closing;
    },
  };
}

/** @param endAnswers called when answers should end what goes on, and their connections */
async function drained(
  server: Server,
  connections: Connections,
  endAnswers: () => void,
  { drainTimeout = 10_000, idleGrace = 0, timers = systemTimers }: ServiceOptions,
): Promise<void> {
  // Node's own function, which `close` calls, also closes connections whose response is written but not read yet.
  server.closeIdleConnections = () => {};
  if (idleGrace > 0) {
    let isOver = false;
    const cancel = timers.after(idleGrace, () => void (isOver = true));
    await acceptWaiting(server, () => isOver);
    cancel();
  }
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // Not before: a client whose connection ends would open another one while the server still listens.
  endAnswers();
  const closeIdle = () => void connections.closeIdle();
  let cancelGrace = () => {};
  if (idleGrace === 0) closeIdle();
  // Not before: a connection that is kept after its answer would be closed while its client uses it again.
  else cancelGrace = timers.after(idleGrace, closeIdle);
  const timer = setTimeout(() => server.closeAllConnections(), drainTimeout);
  await closed;
  clearTimeout(timer);
  cancelGrace();
}
