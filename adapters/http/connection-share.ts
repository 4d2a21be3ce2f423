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
  let busy = new Set<Socket>();
  let toEnd = 0;
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    busy.add(socket);
    if (toEnd === 0) return;
    toEnd -= 1;
    response.shouldKeepAlive = false;
  });
  return {
    busyConnections() {
      const count = busy.size;
      busy = new Set();
      return count;
    },
    endConnections(count) {
      toEnd = count;
    },
  };
}
