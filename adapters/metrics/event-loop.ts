import { performance } from 'node:perf_hooks';
import { Gauge, type Registry } from 'prom-client';

/** Event loop utilisation, 0 to 1. Its delays are among the default metrics of prom-client. */
export function eventLoopMetrics(registry: Registry): void {
  let last = performance.eventLoopUtilization();
  const gauge = new Gauge({
    name: 'espalier_event_loop_utilization',
    help: 'Share of the time since the last read of the metrics in which the event loop was busy, 0 to 1.',
    registers: [registry],
    aggregator: 'average',
    collect() {
      const now = performance.eventLoopUtilization();
      gauge.set(performance.eventLoopUtilization(now, last).utilization);
      last = now;
    },
  });
}
