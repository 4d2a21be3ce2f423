import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import type { CommitObserver, WakeUps } from '../../../core/changes/wake-ups.ts';
import type { Engine } from '../../../core/engine.ts';
import { channelTo, type Ask } from './channel.ts';
import { runForwarded, type ForwardedWrite } from './forwarded-write.ts';
import { socketMessages } from './messages.ts';

/** The interval of beats to processes that wait for an answer, in milliseconds. */
const BEAT = 500;

/** The writer's end of write forwarding. */
export interface WriteServer {
  /** Tells the other processes to write by themselves from now on, runs the writes that have arrived, and closes. */
  close(): Promise<void>;
}

/**
 * Runs the writes that other processes of the service forward, in the same groups as those of this process, and reports
 * what this process commits to those in which callers wait for changes. Callers are not authenticated: only processes
 * of the service may have access to the path.
 *
 * A write may legally take long, as a large deletion does. So each forwarder with unanswered writes is sent a beat now
 * and then, by which it knows that this process is alive.
 *
 * @param path path of the Unix socket to create
 * @param beat milliseconds between two beats
 * @throws what listening throws
 */
export async function startWriteServer(
  { engine, wakeUps }: { readonly engine: Engine; readonly wakeUps: WakeUps },
  path: string,
  beat = BEAT,
): Promise<WriteServer> {
  const forwarders = new Map<Socket, Ask>();
  const server = createServer((socket) => {
    let running = 0;
    let stopTelling = () => {};
    const answers = {
      async write(write: ForwardedWrite) {
        running += 1;
        try {
          return await runForwarded(engine, write);
        } finally {
          running -= 1;
        }
      },
      tellOfCommits(isWanted: boolean) {
        stopTelling();
        stopTelling = isWanted ? wakeUps.onCommit(oneAtATime((ids) => ask('committed', ids))) : () => {};
      },
    };
    const ask = channelTo(socketMessages(socket), answers);
    forwarders.set(socket, ask);
    const beats = setInterval(() => {
      if (running > 0) ask('beat').catch(() => {});
    }, beat);
    socket.once('close', () => {
      clearInterval(beats);
      stopTelling();
      forwarders.delete(socket);
    });
  });
  // Otherwise the primary would open the socket and pass its descriptor on, which is lost if this process is at its
  // limit of descriptors.
  server.listen({ path, exclusive: true });
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

/** Collects ids until earlier ones are answered: a process that does not read its messages is sent no further ones. */
function oneAtATime(tell: (ids: readonly string[]) => Promise<unknown>): CommitObserver {
  const waiting = new Set<string>();
  let isTelling = false;
  async function tellAll(): Promise<void> {
    isTelling = true;
    while (waiting.size > 0) {
      const ids = [...waiting];
      waiting.clear();
      await tell(ids).catch(() => {});
    }
    isTelling = false;
  }
  return (ids) => {
    for (const id of ids) waiting.add(id);
    if (!isTelling) void tellAll();
  };
}
