import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import type { CommitObserver, WakeUps } from '../../../core/changes/wake-ups.ts';
import type { Engine } from '../../../core/engine.ts';
import { channelTo, type Ask } from './channel.ts';
import { runForwarded, type ForwardedWrite } from './forwarded-write.ts';
import { socketMessages } from './messages.ts';

/** Between two beats to those who wait for an answer, in milliseconds. */
const BEAT = 500;

/** The writer's end of write forwarding. */
export interface WriteServer {
  /** Runs the writes that have arrived, tells the other processes to write themselves from then on, and closes. */
  close(): Promise<void>;
}

/**
 * Runs the writes that other processes of the service forward, in the same groups as those of this process, and tells
 * them what this process commits. Callers are not authenticated: only processes of the service may have access to the
 * path.
 *
 * A write may legally take long, as a large deletion does. So each forwarder with unanswered writes is sent a beat now and
 * then, by which it knows that this process is alive.
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
  const tellAll = (name: string, input?: unknown): void => {
    for (const ask of forwarders.values()) ask(name, input).catch(() => {});
  };
  const stopTelling = wakeUps.onCommit(oncePerTurn((ids) => tellAll('committed', ids)));
  const server = createServer((socket) => {
    let running = 0;
    const answers = {
      async write(write: ForwardedWrite) {
        running += 1;
        try {
          return await runForwarded(engine, write);
        } finally {
          running -= 1;
        }
      },
    };
    const ask = channelTo(socketMessages(socket), answers);
    forwarders.set(socket, ask);
    const beats = setInterval(() => {
      if (running > 0) ask('beat').catch(() => {});
    }, beat);
    socket.once('close', () => {
      clearInterval(beats);
      forwarders.delete(socket);
    });
  });
  server.listen(path);
  await once(server, 'listening');
  return {
    async close() {
      const ended = once(server, 'close');
      server.close();
      tellAll('stopForwarding');
      await ended;
      stopTelling();
    },
  };
}

/** Collects the ids of the commits of one turn of the event loop: those of a group of writes are one message. */
function oncePerTurn(observer: CommitObserver): CommitObserver {
  let collected = new Set<string>();
  return (ids) => {
    if (collected.size === 0) {
      setImmediate(() => {
        observer([...collected]);
        collected = new Set();
      });
    }
    for (const id of ids) collected.add(id);
  };
}
