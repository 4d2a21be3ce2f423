import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Numbers of connections, by the kind of most of their recent requests. */
export interface ConnectionCounts {
  /** Connections that recently read for the most part. */
  readonly reading: number;
  /** Connections that recently write for the most part. */
  readonly writing: number;
}

/** Balances connections between processes that share an address. */
export interface ConnectionShare {
  /** Connections with a request since the last call. */
  busyConnections(): ConnectionCounts;
  /** Closes this number of each kind after their next response (`Connection: close`). Their clients reconnect. */
  endConnections(counts: ConnectionCounts): void;
}

interface Activity {
  /** The period of the last request. */
  period: number;
  /**
   * Writes less reads, within {@link REMEMBERED}: an occasional write does not turn a reading connection into a writing
   * one.
   */
  surplusOfWrites: number;
}

const REMEMBERED = 8;

/** Methods of requests that write nothing. */
const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

const NONE: ConnectionCounts = { reading: 0, writing: 0 };

export function connectionShare(server: Server): ConnectionShare {
  const activities = new WeakMap<Socket, Activity>();
  /** Counted up by each call of `busyConnections`. */
  let period = 0;
  let busy = { ...NONE };
  let toEnd = { ...NONE };

  /** Counts a request. Returns the kind of its connection. */
  const count = (socket: Socket, isWrite: boolean): keyof ConnectionCounts => {
    let activity = activities.get(socket);
    if (activity === undefined) activities.set(socket, (activity = { period: -1, surplusOfWrites: 0 }));
    if (activity.period === period) busy[kindOf(activity)] -= 1;
    activity.period = period;
    const surplus = activity.surplusOfWrites + (isWrite ? 1 : -1);
    activity.surplusOfWrites = Math.max(-REMEMBERED, Math.min(REMEMBERED, surplus));
    const kind = kindOf(activity);
    busy[kind] += 1;
    return kind;
  };

  server.on('request', ({ socket, method = '' }: IncomingMessage, response: ServerResponse) => {
    const kind = count(socket, !READS.has(method));
    if (toEnd[kind] === 0) return;
    toEnd[kind] -= 1;
    response.shouldKeepAlive = false;
  });
  return {
    busyConnections() {
      const counts = busy;
      busy = { ...NONE };
      period += 1;
      return counts;
    },
    endConnections(counts) {
      toEnd = { ...counts };
    },
  };
}

function kindOf({ surplusOfWrites }: Activity): keyof ConnectionCounts {
  return surplusOfWrites > 0 ? 'writing' : 'reading';
}
