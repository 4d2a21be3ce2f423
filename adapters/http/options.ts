import type { Engine } from '../../core/engine.ts';
import type { Identity } from '../../core/ports/identity.ts';
import type { OpenLimiter } from '../limiter/index.ts';
import type { ConnectionShare } from './connection-share.ts';
import type { Metrics } from '../metrics/index.ts';
import type { Timers } from '../../core/ports/timers.ts';
import type { StreamLimits } from './stream/event-streams.ts';
import type { WaitLimits } from './waiting-requests.ts';

/** Takes structured lines. A pino logger is one. */
export interface Logger {
  /** A line of what is expected, such as a request that was answered. */
  info(fields: object, message: string): void;
  /** A line of what is not expected. */
  error(fields: object, message: string): void;
}

/** What a service is made of, and what it allows. */
export interface HttpOptions {
  /** As it comes from the core: the HTTP side validates what it passes on. */
  readonly engine: Engine;
  /** Tells who sends a request: `espalier.identity`, or one of the host, such as `jwtIdentity()` gives. */
  readonly identity: Identity;
  /** The metrics of `/metrics`. Default: its own, without those of the store, which is instrumented before the engine is made. */
  readonly metrics?: Metrics;
  /** Resolves when the store can serve. */
  ready(): Promise<void>;
  /** One line per request. Never holds addresses, bodies or headers: they may be secret. */
  readonly logger?: Logger;
  /** Largest body of a request, in bytes. Default 1 MiB. */
  readonly bodyLimit?: number;
  /** Largest export that can be imported, in bytes. Default 1 GiB. */
  readonly importLimit?: number;
  /** How long a client may read nothing of a response, or send nothing of an import, in milliseconds: at least 1. Default 30,000. */
  readonly stallTimeout?: number;
  /** Whether large answers are compressed for clients that take `br` or `gzip`. Default true. */
  readonly compression?: boolean;
  /** Whether to serve `/board`, a board in the browser. Default false. */
  readonly board?: boolean;
  /** Whether to answer 428 to a PUT or DELETE without If-Match of a record that has a version. Default false. */
  readonly requireIfMatch?: boolean;
  /** Rate limits. Absent: none. */
  readonly limits?: LimitOptions;
  /** How many requests may wait for changes at once, in this process. Default: 32 of one user, 1,024 in all. */
  readonly waits?: WaitLimits;
  /** How many streams of events may be open at once, in this process. Default: 64 of one user, 2,048 in all. */
  readonly streams?: StreamLimits;
  /** For the heartbeats of streams. Default: those of the process. */
  readonly timers?: Timers;
  /**
   * Counts for the rate limits: the limiter of a `mongodbStore` counts for all processes on its cluster. Default: in
   * memory, each process for itself.
   */
  readonly limiter?: OpenLimiter;
  /** Proxies whose X-Forwarded-For is trusted: addresses or networks such as `10.0.0.0/8`. Default none. */
  readonly trustedProxies?: readonly string[];
  /**
   * Origins whose pages may call the service from a browser, as browsers send them: `https://app.example.org`, without a slash at the
   * end; `*` for all. Default none.
   */
  readonly corsOrigins?: readonly string[];
}

/** Rate limits, each at least 1, in windows of a minute that begin with the first use. Absent: unlimited. */
export interface LimitOptions {
  /** Requests that one user, by all tokens together, may make in a minute. */
  readonly requestsPerMinute?: number;
  /**
   * How often one address may be answered 401 in a minute before it is answered 429. Only for requests
   * that come through a socket; of IPv6 the first 64 bits count.
   */
  readonly failuresPerMinute?: number;
  /**
   * How often in a minute one user, and one address, may look up an invitation that does not exist or is not theirs,
   * before further look-ups are answered 429.
   */
  readonly unknownInvitationsPerMinute?: number;
}

/** What a service that listens by itself needs besides. */
export interface ServiceOptions extends HttpOptions {
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default 4800; 0 takes any free one. */
  readonly port?: number;
  /** How long `close` waits for running requests before it aborts them, in milliseconds. 0: not at all. Default 10,000. */
  readonly drainTimeout?: number;
  /**
   * Connections that may be open at once; beyond that a new one is answered 503 and closed. Default 4,096, or three
   * quarters of the file descriptors that the process may have, where those are fewer. With workers, for each of them.
   */
  readonly maxConnections?: number;
  /**
   * Bytes of responses, over all connections, that clients have not read yet. Beyond that the connection whose response
   * has been unread for longest is closed. Default 256 MiB.
   */
  readonly unreadLimit?: number;
  /** How long a request may take to arrive, in milliseconds: at least 1; of an import, only until it is started. Default 30,000. */
  readonly requestTimeout?: number;
}

/** A service that listens. */
export interface Service extends ConnectionShare {
  /** The URL that it listens on, without a trailing slash. */
  readonly url: string;
  /** Accepts no more requests, lets running ones end, and closes idle connections. Idempotent. */
  close(): Promise<void>;
}

export const STALL_TIMEOUT = 30_000;
export const UNREAD_LIMIT = 256 * 1024 * 1024;
export const IMPORT_LIMIT = 1024 * 1024 * 1024;
export const BODY_LIMIT = 1024 * 1024;
/** The most bytes of the head of a request: an address with many filters and a cursor is long. */
export const HEAD_LIMIT = 32 * 1024;
