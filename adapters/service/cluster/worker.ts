import type { Engine } from '../../../core/engine.ts';
import type { WakeUps } from '../../../core/changes/wake-ups.ts';
import type { ConnectionCounts, Logger, MetricSnapshot, OpenLimiter, Service } from '../../http/index.ts';
import { whenAborted } from '../../event-loop/when-aborted.ts';
import { channelTo } from './channel.ts';
import { endWithParent } from './end-with-parent.ts';
import type { HeartbeatReply } from './heartbeat.ts';
import { processMessages } from './messages.ts';
import { countedBy } from './shared-limits.ts';
import type { StartFailure } from './workers.ts';
import { WriteForwarder } from './write-forwarder.ts';
import { startWriteServer, type WriteServer } from './write-server.ts';

/** The primary: the process that started this worker. */
export interface Primary {
  /** The settings of this process. */
  settings(): Promise<Readonly<Record<string, string>>>;
  /** Rate limiters that count for all workers. */
  readonly limiter: OpenLimiter;
  /** The metrics of all workers. */
  metricSnapshots(): Promise<readonly MetricSnapshot[]>;
  /** The engine to serve with: it forwards writes to the workers that write for others, whose commits wake readers here. */
  forwardWrites(engine: Engine, wakeUps: WakeUps): Engine;
  /** Serves until either side asks it to stop. @param stop aborted when this process is asked to */
  serve(worker: WorkerService, stop: AbortSignal): Promise<void>;
  /** Reports why this process cannot serve. */
  failed(failure: StartFailure): Promise<void>;
  /** Lets this process end. */
  disconnect(): void;
}

/** The service of a worker. */
export interface WorkerService {
  /** The metrics of this process alone. */
  metricSnapshot(): Promise<MetricSnapshot>;
  listen(port: number): Promise<Service>;
  readonly logger: Logger;
}

/** Called once, in a process started by `startWorkers`. */
export function primaryOfWorker(): Primary {
  const stopping = new AbortController();
  let served: WorkerService | undefined;
  let service: Service | undefined;
  let isOver = false;
  let forwarder: WriteForwarder | undefined;
  let own: { readonly engine: Engine; readonly wakeUps: WakeUps } | undefined;
  let writeServer: Promise<WriteServer> | undefined;
  /** Once set, nothing may start that keeps the process alive. */
  let isClosed = false;
  const ask = channelTo(processMessages(process), {
    stop: () => stopping.abort(),
    metricSnapshot: () => served!.metricSnapshot(),
    pulse: (): HeartbeatReply => ({ busyConnections: service?.busyConnections() ?? { reading: 0, writing: 0 } }),
    endConnections: (counts: ConnectionCounts) => service?.endConnections(counts),
    async writeForOthers(path: string) {
      if (isClosed) throw new Error('It has stopped.');
      writeServer = startWriteServer(own!, path);
      await writeServer;
    },
    forwardWrites(paths: readonly (string | null)[]) {
      if (!isClosed) forwarder?.forwardTo(paths);
    },
  });
  return {
    settings: () => ask('settings'),
    limiter: countedBy(ask),
    metricSnapshots: () => ask('metricSnapshots'),
    forwardWrites(engine, wakeUps) {
      own = { engine, wakeUps };
      forwarder = new WriteForwarder({ wakeUps });
      return forwarder.engine(engine);
    },
    async serve(worker, stop) {
      served = worker;
      await endWithParent(worker.logger, () => isOver);
      const asked = whenAborted(AbortSignal.any([stop, stopping.signal]));
      service = await worker.listen(await ask('port'));
      await ask('listening', service.url);
      await asked;
      await service.close();
      isClosed = true;
      forwarder?.forwardTo([]);
      await writeServer?.then(
        (server) => server.close(),
        () => {},
      );
    },
    failed: (failure) => ask('failed', failure),
    disconnect() {
      isOver = true;
      // The channel is the last thing that keeps an idle process alive.
      process.disconnect();
    },
  };
}
