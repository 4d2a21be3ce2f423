import { AggregatorRegistry, collectDefaultMetrics, Registry } from 'prom-client';
import type { Engine } from '../../core/engine.ts';
import type { Store } from '../../core/ports/store.ts';
import { eventLoopFigures } from './event-loop.ts';
import { histogram } from './series.ts';
import { storeFigures } from './store.ts';
import { type StreamFigures, streamFigures } from './streams.ts';
import { useCaseFigures } from './use-cases.ts';

/** Metrics for Prometheus. Label values come from a fixed set, never from a client: no ids, no names. */
export interface Metrics {
  /** @param operation the operation id of the OpenAPI document; `none` where there is none */
  request(operation: string, method: string, status: number, seconds: number): void;
  /** The engine with its calls counted. */
  watchEngine(engine: Engine): Engine;
  /** The store with its transactions counted and timed. */
  watchStore(store: Store): Store;
  readonly streams: StreamFigures;
  readonly contentType: string;
  /** The metrics of this process alone, as JSON. */
  figures(): Promise<MetricSnapshot>;
  text(): Promise<string>;
}

/** The metrics of one process, for aggregation over processes. */
export type MetricSnapshot = readonly object[];

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS']);
const CLASSES = ['', '1xx', '2xx', '3xx', '4xx', '5xx'];

/** @param all collects the snapshots of all processes of the service; the text has their sums. Default: this process alone */
export function createMetrics(all?: () => Promise<readonly MetricSnapshot[]>): Metrics {
  const registry = new Registry();
  const requests = histogram(registry, {
    name: 'espalier_http_request_duration_seconds',
    help: 'How long requests took to answer.',
    labels: ['operation', 'method', 'status'],
  });
  const watchEngine = useCaseFigures(registry);
  const watchStore = storeFigures(registry);
  const streams = streamFigures(registry);
  eventLoopFigures(registry);
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
    watchEngine,
    watchStore,
    streams,
    contentType: registry.contentType,
    figures: () => collected().getMetricsAsJSON(),
    async text() {
      const registry = all === undefined ? collected() : added(await all());
      // Strict parsers reject how prom-client writes a metric without values.
      return (await registry.metrics()).replace(/ Nan$/gm, ' NaN');
    },
  };
}
