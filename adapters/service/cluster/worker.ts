import type { Engine } from '../../../core/engine.ts';
import type { Logger, MetricSnapshot, OpenLimiter, Service } from '../../http/index.ts';
import { channelTo } from './channel.ts';
import { endWithParent } from './end-with-parent.ts';
import type { Pulse } from './heartbeat.ts';
import { processMessages } from './messages.ts';
import { countedBy } from './shared-limits.ts';
import type { StartFailure } from './workers.ts';
import { WriteForwarder } from './write-forwarder.ts';
import { startWriteServer, type WriteServer } from './write-server.ts';

/** The process that started this one. */
export interface Primary {
  /** What this process is to go by. */
  settings(): Promise<Readonly<Record<string, string>>>;
  /** Counts for all workers. */
  readonly limiter: OpenLimiter;
  /** Of all workers. */
  figures(): Promise<readonly MetricSnapshot[]>;
  /** The engine to serve with: one of the workers writes for all. */
  forwardWrites(engine: Engine): Engine;
  /** Serves until either side asks it to stop. @param stop aborted when this process is asked to */
  serve(worker: Served, stop: AbortSignal): Promise<void>;
  /** Says why this process cannot serve. */
  failed(failure: StartFailure): Promise<void>;
  /** Has this process end. */
  leave(): void;
}

/** What a worker serves. */
export interface Served {
  /** Of this process alone. */
  figures(): Promise<MetricSnapshot>;
  listen(port: number): Promise<Service>;
  readonly logger: Logger;
}

/** To be called once, in a process that `startWorkers` has started. */
export function primaryOfWorker(): Primary {
  const stopping = new AbortController();
  let served: Served | undefined;
  let service: Service | undefined;
  let isOver = false;
  const forwarder = new WriteForwarder();
  let ownEngine: Engine | undefined;
  let writeServer: WriteServer | undefined;
  const ask = channelTo(processMessages(process), {
    stop: () => stopping.abort(),
    figures: () => served!.figures(),
    pulse: (): Pulse => ({ busyConnections: service?.busyConnections() ?? 0 }),
    endConnections: (count: number) => service?.endConnections(count),
    async writeForAll(path: string) {
      forwarder.stop();
      writeServer = await startWriteServer(ownEngine!, path);
    },
    forwardWrites: (path: string) => forwarder.forwardTo(path),
  });
  return {
    settings: () => ask('settings'),
    limiter: countedBy(ask),
    figures: () => ask('figures'),
    forwardWrites(engine) {
      ownEngine = engine;
      return forwarder.engine(engine);
    },
    async serve(worker, stop) {
      served = worker;
      await endWithParent(worker.logger, () => isOver);
      const asked = once(AbortSignal.any([stop, stopping.signal]));
      service = await worker.listen(await ask('port'));
      await ask('listening', service.url);
      await asked;
      await service.close();
      forwarder.stop();
      await writeServer?.close();
    },
    failed: (failure) => ask('failed', failure),
    leave() {
      isOver = true;
      // Nothing else keeps a process that has nothing to do.
      process.disconnect();
    },
  };
}

function once(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
