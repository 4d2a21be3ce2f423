import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The connections of one process among several that share an address. */
export interface ConnectionShare {
  /** How many had a request since this was asked before. */
  busyConnections(): number;
  /** Ends so many after their next answer, which says so (`Connection: close`): their clients connect anew. */
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
