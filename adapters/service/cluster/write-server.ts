import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import type { Engine } from '../../../core/engine.ts';
import { channelTo, type Ask } from './channel.ts';
import { runForwarded, type ForwardedWrite } from './forwarded-write.ts';
import { socketMessages } from './messages.ts';

/** The writer's end of write forwarding. */
export interface WriteServer {
  /** Runs the writes that have arrived, tells the other processes to write themselves from then on, and closes. */
  close(): Promise<void>;
}

/**
 * Runs the writes that other processes of the service forward, in the same groups as those of this process. Callers are
 * not authenticated: only processes of the service may have access to the path.
 *
 * @param path path of the Unix socket to create
 * @throws what listening throws
 */
export async function startWriteServer(engine: Engine, path: string): Promise<WriteServer> {
  const forwarders = new Map<Socket, Ask>();
  const server = createServer((socket) => {
    const answers = { write: (write: ForwardedWrite) => runForwarded(engine, write) };
    forwarders.set(socket, channelTo(socketMessages(socket), answers));
    socket.once('close', () => forwarders.delete(socket));
  });
  server.listen(path);
  await once(server, 'listening');
  return {
    async close() {
      const ended = once(server, 'close');
      server.close();
      for (const ask of forwarders.values()) ask('stopForwarding').catch(() => {});
      await ended;
    },
  };
}
