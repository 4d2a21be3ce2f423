import { AggregatorRegistry, collectDefaultMetrics, Registry } from 'prom-client';
import type { Engine } from '../../core/engine.ts';
import type { Store } from '../../core/ports/store.ts';
import { eventLoopFigures } from './event-loop.ts';
import { histogram } from './series.ts';
import { storeFigures } from './store.ts';
import { useCaseFigures } from './use-cases.ts';

/** Metrics for Prometheus. Labels are words of the program, never ids, names or anything else that a client sends. */
export interface Metrics {
  /** @param operation its id in the OpenAPI document; `none` for what has none */
  request(operation: string, method: string, status: number, seconds: number): void;
  /** The engine, with what it does counted. */
  watchEngine(engine: Engine): Engine;
  /** The store, with its transactions counted and timed. */
  watchStore(store: Store): Store;
  readonly contentType: string;
  /** Of this process alone. Travels as JSON. */
  figures(): Promise<MetricSnapshot>;
  text(): Promise<string>;
}

/** What a process counts and measures, for those who add them up. */
export type MetricSnapshot = readonly object[];

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS']);
const CLASSES = ['', '1xx', '2xx', '3xx', '4xx', '5xx'];

/** @param all asks every process of a service for its figures; the text then tells their sums. Default: this one alone */
export function createMetrics(all?: () => Promise<readonly MetricSnapshot[]>): Metrics {
  const registry = new Registry();
  const requests = histogram(registry, {
    name: 'espalier_http_request_duration_seconds',
    help: 'How long requests took to answer.',
    labels: ['operation', 'method', 'status'],
  });
  const watchEngine = useCaseFigures(registry);
  const watchStore = storeFigures(registry);
  eventLoopFigures(registry);
  let collecting = false;
  const collected = () => {
    // They keep timers of their own: only for who asks.
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
    contentType: registry.contentType,
    figures: () => collected().getMetricsAsJSON(),
    async text() {
      const told = all === undefined ? collected() : added(await all());
      // As prom-client writes what there is no figure of yet, strict readers do not take it.
      return (await told.metrics()).replace(/ Nan$/gm, ' NaN');
    },
  };
}
