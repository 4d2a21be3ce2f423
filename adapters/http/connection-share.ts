import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Numbers of connections, by what more than half of their requests do. */
export interface ConnectionCounts {
  readonly reading: number;
  readonly writing: number;
}

/** Balances connections between processes that share an address. */
export interface ConnectionShare {
  /** Connections with a request since the last call. */
  busyConnections(): ConnectionCounts;
  /** Closes that many after their next response to a read or a write (`Connection: close`); their clients connect again. */
  endConnections(counts: ConnectionCounts): void;
}

/** What a connection did in the period of its last request. */
interface Activity {
  period: number;
  /** Writes less reads. */
  surplusOfWrites: number;
}

const NONE: ConnectionCounts = { reading: 0, writing: 0 };

export function connectionShare(server: Server): ConnectionShare {
  const activities = new WeakMap<Socket, Activity>();
  /** Counted up by each call of `busyConnections`. */
  let period = 0;
  let busy = { ...NONE };
  let toEnd = { ...NONE };

  const count = (socket: Socket, isWrite: boolean): void => {
    let activity = activities.get(socket);
    if (activity === undefined) activities.set(socket, (activity = { period: -1, surplusOfWrites: 0 }));
    if (activity.period === period) busy[kindOf(activity)] -= 1;
    else Object.assign(activity, { period, surplusOfWrites: 0 });
    activity.surplusOfWrites += isWrite ? 1 : -1;
    busy[kindOf(activity)] += 1;
  };

  server.on('request', ({ socket, method = '' }: IncomingMessage, response: ServerResponse) => {
    const isWrite = !READS.has(method);
    count(socket, isWrite);
    const kind = isWrite ? 'writing' : 'reading';
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

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

function kindOf({ surplusOfWrites }: Activity): keyof ConnectionCounts {
  return surplusOfWrites > 0 ? 'writing' : 'reading';
}
