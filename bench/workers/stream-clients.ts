import { connect, type Socket } from 'node:net';
import { serveCommands } from '../process/worker.ts';
import { epoch } from './epoch.ts';

/** Clients of streams, as small as sockets can be. */

export interface Follow {
  readonly url: string;
  readonly token: string;
  readonly workspaceIds: readonly string[];
  readonly streams: number;
}

/** Connections that are made at once. */
const TOGETHER = 50;

const sockets: Socket[] = [];
let lastBytes = new Map<Socket, number>();
let look: () => void = () => undefined;

const commands = {
  /** Opens streams, evenly over the workspaces. Resolves when each has begun. */
  async follow({ url, token, workspaceIds, streams }: Follow): Promise<void> {
    const { hostname, port } = new URL(url);
    let next = 0;
    const lane = async () => {
      for (let n = (next += 1); n <= streams; n = next += 1) {
        const path = `/api/workspace/${workspaceIds[n % workspaceIds.length]!}/changes`;
        await opened(connect(Number(port), hostname), path, token);
      }
    };
    await Promise.all(Array.from({ length: TOGETHER }, lane));
  },

  /** When each stream has got something since this was asked for the last time: the last of them. */
  async reached(): Promise<number> {
    while (lastBytes.size < sockets.length) await new Promise<void>((resolve) => (look = resolve));
    return Math.max(...lastBytes.values());
  },

  forget(): void {
    lastBytes = new Map();
  },

  end(): void {
    for (const socket of sockets.splice(0)) socket.destroy();
  },
};

function opened(socket: Socket, path: string, token: string): Promise<void> {
  sockets.push(socket);
  return new Promise((resolve, reject) => {
    socket.on('error', reject);
    let head = '';
    socket.on('data', (bytes: Buffer) => {
      if (head.includes('event: ready')) {
        // A heartbeat is no event.
        if (bytes.includes('event: ')) lastBytes.set(socket, epoch());
        if (lastBytes.size === sockets.length) look();
        return;
      }
      head += bytes.toString('latin1');
      if (head.includes('event: ready')) resolve();
      else if (!head.startsWith('HTTP/1.1 200')) reject(new Error(head.slice(0, 500)));
    });
    socket.write(
      `GET ${path} HTTP/1.1\r\nhost: x\r\naccept: text/event-stream\r\nauthorization: Bearer ${token}\r\n\r\n`,
    );
  });
}

export type StreamClientCommands = typeof commands;

serveCommands(commands);
