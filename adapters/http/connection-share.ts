import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Balances connections between processes that share an address. */
export interface ConnectionShare {
  /** Connections with a request since the last call. */
  busyConnections(): number;
  /** Closes that many after their next response (`Connection: close`); their clients connect again. */
  endConnections(count: number): void;
}

export function connectionShare(server: Server): ConnectionShare {
  /** The period, counted up by each call, in which a connection last had a request. */
  const lastBusy = new WeakMap<Socket, number>();
  let period = 0;
  let busy = 0;
  let toEnd = 0;
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    if (lastBusy.get(socket) !== period) {
      lastBusy.set(socket, period);
      busy += 1;
    }
    if (toEnd === 0) return;
    toEnd -= 1;
    response.shouldKeepAlive = false;
  });
  return {
    busyConnections() {
      const count = busy;
      busy = 0;
      period += 1;
      return count;
    },
    endConnections(count) {
      toEnd = count;
    },
  };
}
