import type { Engine } from '../../core/engine.ts';
import type { Identity } from '../../core/ports/identity.ts';
import type { OpenLimiter } from '../limiter/index.ts';
import type { ConnectionShare } from './connection/connection-share.ts';
import type { Metrics } from '../metrics/index.ts';
import type { Timers } from '../../core/ports/timers.ts';
import type { StreamLimits } from './stream/event-streams.ts';
import type { WaitLimits } from './limits/waiting-requests.ts';

/** A logger of structured lines, such as one of pino. */
export interface Logger {
  /** Logs an expected event, such as an answered request. */
  info(fields: object, message: string): void;
  /** Logs an unexpected event. */
  error(fields: object, message: string): void;
}

/** The parts of a service, and its limits. */
export interface HttpOptions {
  /** The engine of the core. The HTTP adapter validates inputs itself. */
  readonly engine: Engine;
  /** Authenticates requests: `espalier.identity`, or an identity of the host, such as `jwtIdentity()`. */
  readonly identity: Identity;
  /**
   * The metrics of `/metrics`. Default: metrics of its own, without those of the store, because a store is instrumented
   * before its engine is created.
   */
  readonly metrics?: Metrics;
  /** Resolves when the store can serve. */
  ready(): Promise<void>;
  /**
   * Receives one line per request, without addresses, bodies and headers, which may be secret. What it throws or rejects
   * with is ignored.
   */
  readonly logger?: Logger;
  /** The largest body of a request, in bytes. Default 1 MiB. */
  readonly bodyLimit?: number;
  /** The largest export that can be imported, in bytes. Default 1 GiB. */
  readonly importLimit?: number;
  /**
   * The longest time for which a client may read nothing of a response, or send nothing of an import, in milliseconds:
   * at least 1. Default 30,000.
   */
  readonly stallTimeout?: number;
  /** Whether large answers are compressed for clients that accept `br` or `gzip`. Default true. */
  readonly compression?: boolean;
  /** Whether to serve `/board`, a board in the browser. Default false. */
  readonly board?: boolean;
  /**
   * The prefix of the paths of the service, such as `/tracker` for `https://example.org/tracker`, in at most 200
   * characters. A proxy or host passes the whole path. Default: empty, the root of the host.
   */
  readonly basePath?: string;
  /** Whether to answer 428 to a PUT or DELETE without If-Match of a record that has a version. Default false. */
  readonly requireIfMatch?: boolean;
  /** Rate limits. Absent: none. */
  readonly limits?: LimitOptions;
  /** The most requests that wait for changes at once in this process. Default: 32 of one user, 1,024 in all. */
  readonly waits?: WaitLimits;
  /** The most streams of events that are open at once in this process. Default: 64 of one user, 2,048 in all. */
  readonly streams?: StreamLimits;
  /** The timers for heartbeats of streams, and for `idleGrace`. Default: those of the process. */
  readonly timers?: Timers;
  /**
   * Counts uses for the rate limits. The limiter of a `mongodbStore` counts for all processes on its cluster. Default:
   * each process counts in memory.
   */
  readonly limiter?: OpenLimiter;
  /** Proxies whose X-Forwarded-For is trusted: addresses or networks such as `10.0.0.0/8`. Default none. */
  readonly trustedProxies?: readonly string[];
  /**
   * Origins whose pages may call the service from a browser, such as `https://app.example.org`, without a slash at the
   * end; `*` for all. Default none.
   */
  readonly corsOrigins?: readonly string[];
}

/** Rate limits, each at least 1. Windows of a minute begin with the first use. Absent: unlimited. */
export interface LimitOptions {
  /** The most requests of one user in a minute, with all tokens together. */
  readonly requestsPerMinute?: number;
  /**
   * The most 401 answers to one address in a minute. After that it gets 429. Only for requests that come through a
   * socket; for IPv6 the first 64 bits count.
   */
  readonly failuresPerMinute?: number;
  /**
   * The most look-ups in a minute, by one user and by one address, of invitations that do not exist or are for somebody
   * else. Further look-ups get 429.
   */
  readonly unknownInvitationsPerMinute?: number;
}

/** Further options of a service with a server of its own. */
export interface ServiceOptions extends HttpOptions {
  /** The address to listen on. Default 127.0.0.1. */
  readonly host?: string;
  /** The port to listen on. Default 4800; 0: any free port. */
  readonly port?: number;
  /**
   * The time for which `close` waits for running requests before it aborts them, in milliseconds. 0: none. Default
   * 10,000.
   */
  readonly drainTimeout?: number;
  /**
   * The time for which `close` leaves idle connections open, in milliseconds, so that a request that is on its way is
   * answered, with `Connection: close`. Connections that wait to be accepted are accepted first, for as long at most.
   * When no connection is open, `close` waits no longer. Default 0: they are closed at once.
   */
  readonly idleGrace?: number;
  /**
   * The most open connections. Beyond that a new connection gets 503 and is closed. Default: 4,096, or three quarters
   * of the file descriptors of the process if that is less. With workers the limit holds for each worker.
   */
  readonly maxConnections?: number;
  /**
   * The most bytes of responses, over all connections, that clients have not read. Beyond that the connection with the
   * longest unread response is closed. Default 256 MiB.
   */
  readonly unreadLimit?: number;
  /**
   * The longest time for a request to arrive, in milliseconds: at least 1. For an import it ends when the import
   * starts. Default 30,000.
   */
  readonly requestTimeout?: number;
}

/** A service that listens. */
export interface Service extends ConnectionShare {
  /** The URL of the service with its base path, without a trailing slash. */
  readonly url: string;
  /** Stops accepting requests, waits for running ones, and closes idle connections. Idempotent. */
  close(): Promise<void>;
}

export const STALL_TIMEOUT = 30_000;
export const UNREAD_LIMIT = 256 * 1024 * 1024;
export const IMPORT_LIMIT = 1024 * 1024 * 1024;
export const BODY_LIMIT = 1024 * 1024;
/** The most bytes of the head of a request: a URL with many filters and a cursor is long. */
export const HEAD_LIMIT = 32 * 1024;
