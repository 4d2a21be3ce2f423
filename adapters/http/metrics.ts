import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';

/** Numbers for Prometheus. Labels never hold ids: routes are named by their patterns. */
export interface Metrics {
  observe(method: string, route: string, status: number, seconds: number): void;
  readonly contentType: string;
  text(): Promise<string>;
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS']);

export function metrics(): Metrics {
  const registry = new Registry();
  const duration = new Histogram({
    name: 'espalier_http_request_duration_seconds',
    help: 'How long requests took to answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  });
  let collecting = false;
  return {
    observe(method, route, status, seconds) {
      duration.observe({ method: METHODS.has(method) ? method : 'other', route, status }, seconds);
    },
    contentType: registry.contentType,
    text() {
      // They keep timers of their own: only for who asks.
      if (!collecting) collectDefaultMetrics({ register: registry });
      collecting = true;
      return registry.metrics();
    },
  };
}
