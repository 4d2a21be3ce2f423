import { Container, ContainerModule } from 'inversify';
import type { Engine } from '../../core/engine.ts';
import type { WakeUps } from '../../core/changes/wake-ups.ts';
import { startService, type Service, type ServiceOptions } from '../http/index.ts';
import type { OpenLimiter } from '../limiter/index.ts';
import { createMetrics, type MetricSnapshot } from '../metrics/index.ts';
import { espalierIn, type Espalier } from './espalier.ts';
import { listenerOn } from './listener.ts';
import { engineModule, identityModule, systemModule, type Parts } from './modules.ts';
import { openStore, type OpenOptions } from './open-store.ts';
import { IDENTIFIERS } from './identifiers.ts';

type Protection = Omit<ServiceOptions, 'engine' | 'identity' | 'ready' | 'metrics' | 'limiter' | 'host' | 'port'>;

/** The settings of a whole service. */
export interface ComposeSettings extends Omit<Parts, 'store'> {
  /** The URL of the store, see `openStore`. */
  readonly store: string;
  readonly storeOptions?: OpenOptions;
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly http: Protection;
}

/** What the processes of one service share, besides the store. */
export interface SharedByProcesses {
  /** Used if the store has none. */
  readonly limiter: OpenLimiter;
  /** The metrics of each process. */
  readonly metricSnapshots: () => Promise<readonly MetricSnapshot[]>;
  /** The engine that each process serves with: one process may run the writes of all. */
  readonly forwardWrites: (engine: Engine, wakeUps: WakeUps) => Engine;
}

export interface ComposedService {
  /** Its `close` also stops the HTTP service. */
  readonly espalier: Espalier;
  /** The metrics of this process alone. */
  metricSnapshot(): Promise<MetricSnapshot>;
  /** @param port default: that of the settings. @throws errors of listening, such as EADDRINUSE */
  readonly listen: (port?: number) => Promise<Service>;
}

/**
 * Opens the store and composes the engine on it; the HTTP service is created by `listen`.
 *
 * @param shared absent: the service is this process alone
 * @throws what `openStore` throws
 */
export async function composeService(settings: ComposeSettings, shared?: SharedByProcesses): Promise<ComposedService> {
  const container = new Container({ defaultScope: 'Singleton' });
  container.load(
    openedStoreModule(settings, shared),
    metricsModule(shared),
    systemModule(settings),
    identityModule(settings.identity),
    engineModule(settings),
    httpModule(settings, shared),
  );
  const espalier = await espalierIn(container);
  const metrics = await container.getAsync(IDENTIFIERS.metrics);
  const listener = await container.getAsync(IDENTIFIERS.listener);
  return {
    espalier,
    metricSnapshot: () => metrics.snapshot(),
    listen: listener.listen,
  };
}

/** The store at a URL, with its transactions counted and timed. */
function openedStoreModule({ store: url, storeOptions }: ComposeSettings, shared?: SharedByProcesses): ContainerModule {
  const options = { ...storeOptions, writesForOthers: shared !== undefined };
  return new ContainerModule(({ bind }) => {
    bind(IDENTIFIERS.openedStore).toResolvedValue(() => openStore(url, options), []);
    bind(IDENTIFIERS.store)
      .toResolvedValue(
        (store, metrics) => metrics.instrumentStore(store),
        [IDENTIFIERS.openedStore, IDENTIFIERS.metrics],
      )
      .onDeactivation((store) => store.close());
  });
}

function metricsModule(shared?: SharedByProcesses): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(IDENTIFIERS.metrics).toResolvedValue(() => createMetrics(shared?.metricSnapshots), []);
  });
}

/** Rate limits are counted in the store if processes share it, else in the primary, else in this process. */
function httpModule({ host, port, http }: ComposeSettings, shared?: SharedByProcesses): ContainerModule {
  return new ContainerModule(({ bind }) => {
    bind(IDENTIFIERS.listener)
      .toResolvedValue(
        (opened, store, engine, identity, metrics, wakeUps) => {
          const limiter = opened.limiter ?? shared?.limiter;
          const ready = () => store.ready();
          const options = {
            engine: shared?.forwardWrites(engine, wakeUps) ?? engine,
            identity,
            ready,
            metrics,
            host,
            ...http,
            ...(limiter !== undefined && { limiter }),
          };
          return listenerOn((at = port) => startService({ ...options, port: at }));
        },
        [
          IDENTIFIERS.openedStore,
          IDENTIFIERS.store,
          IDENTIFIERS.engine,
          IDENTIFIERS.identity,
          IDENTIFIERS.metrics,
          IDENTIFIERS.wakeUps,
        ],
      )
      .onDeactivation((listener) => listener.close());
  });
}
