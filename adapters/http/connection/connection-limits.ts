import { readFileSync } from 'node:fs';
import { STALL_TIMEOUT, UNREAD_LIMIT } from '../options.ts';

/** The limits of a service on its connections. */
export interface ConnectionLimits {
  /** The most open connections. */
  readonly maxConnections: number;
  /** The longest time for which a client may read nothing of a response, in milliseconds. */
  readonly stallTimeout: number;
  /** The most bytes of responses that clients have not read, over all connections. */
  readonly unreadLimit: number;
}

/** The default limit of connections, file descriptors permitting. */
const MAX_CONNECTIONS = 4_096;
/** The share of the process's file descriptors for connections: the store needs some too. */
const SHARE = 3 / 4;

/** The default of `maxConnections`. */
function defaultMaxConnections(): number {
  return Math.min(MAX_CONNECTIONS, Math.floor(openFilesLimit() * SHARE));
}

/** The limits on connections that hold with these options. */
export function connectionLimits({
  maxConnections = defaultMaxConnections(),
  stallTimeout = STALL_TIMEOUT,
  unreadLimit = UNREAD_LIMIT,
}: Partial<ConnectionLimits>): ConnectionLimits {
  return { maxConnections, stallTimeout, unreadLimit };
}

/** The limit of file descriptors; Infinity where it cannot be read, such as outside of Linux. */
function openFilesLimit(): number {
  try {
    const soft = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return soft === undefined ? Infinity : Number(soft);
  } catch {
    return Infinity;
  }
}
