import { AggregatorRegistry, collectDefaultMetrics, Registry } from 'prom-client';
import type { Engine } from '../../core/engine.ts';
import type { Store } from '../../core/ports/store.ts';
import { eventLoopMetrics } from './event-loop.ts';
import { histogram } from './series.ts';
import { storeMetrics } from './store.ts';
import { type StreamMetrics, streamMetrics } from './streams.ts';
import { useCaseMetrics } from './use-cases.ts';

/** Metrics for Prometheus. Label values come from a fixed set, never from a client: no ids, no names. */
export interface Metrics {
  /**
   * Counts a request that was answered.
   *
   * @param operation the operation id of the OpenAPI document; `none` if there is none
   * @param seconds how long it took
   */
  request(operation: string, method: string, status: number, seconds: number): void;
  /** The engine with its calls counted. */
  instrumentEngine(engine: Engine): Engine;
  /** The store with its transactions counted and timed. */
  instrumentStore(store: Store): Store;
  /** Counts streams of events. */
  readonly streams: StreamMetrics;
  /** The media type of {@link text}. */
  readonly contentType: string;
  /** The metrics of this process alone, as JSON. */
  snapshot(): Promise<MetricSnapshot>;
  /** The metrics in the text format of Prometheus, of all processes of the service. */
  text(): Promise<string>;
}

/** The metrics of one process, for aggregation over processes. */
export type MetricSnapshot = readonly object[];

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS']);
const CLASSES = ['', '1xx', '2xx', '3xx', '4xx', '5xx'];

/**
 * Creates the metrics of a service, for `createHttpApp` and `serve`. `instrumentStore` adds those of a store.
 *
 * @param all collects the snapshots of all processes of the service; the text has their sums. Default: this process
 * alone
 */
export function createMetrics(all?: () => Promise<readonly MetricSnapshot[]>): Metrics {
  const registry = new Registry();
  const requests = histogram(registry, {
    name: 'espalier_http_request_duration_seconds',
    help: 'Duration of requests.',
    labels: ['operation', 'method', 'status'],
  });
  const instrumentEngine = useCaseMetrics(registry);
  const instrumentStore = storeMetrics(registry);
  const streams = streamMetrics(registry);
  eventLoopMetrics(registry);
  let collecting = false;
  const collected = () => {
    // The default metrics keep timers: they start with the first scrape.
    if (!collecting) collectDefaultMetrics({ register: registry });
    collecting = true;
    return registry;
  };
  const added = (each: readonly MetricSnapshot[]) => AggregatorRegistry.aggregate([...each]);
  return {
    request(operation, method, status, seconds) {
      const known = METHODS.has(method) ? method : 'other';
      requests.at(operation, known, CLASSES[Math.floor(status / 100)] ?? '').record(seconds);
    },
    instrumentEngine,
    instrumentStore,
    streams,
    contentType: registry.contentType,
    snapshot: () => collected().getMetricsAsJSON(),
    async text() {
      const registry = all === undefined ? collected() : added(await all());
      // Strict parsers reject how prom-client writes a metric without values.
      return (await registry.metrics()).replace(/ Nan$/gm, ' NaN');
    },
  };
}
