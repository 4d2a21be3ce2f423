import { Gauge, type Registry } from 'prom-client';
import { counter } from './series.ts';

/** The metrics of streams of events. */
export interface StreamMetrics {
  /** Counts a stream that begins. */
  opened(): void;
  /** @param reason the code of the stream's last event, `client` if the client went away or read nothing, or `error` */
  closed(reason: string): void;
}

export function streamMetrics(registry: Registry): StreamMetrics {
  let open = 0;
  const gauge = new Gauge({
    name: 'espalier_streams_open',
    help: 'Open streams of events.',
    registers: [registry],
    aggregator: 'sum',
    collect() {
      gauge.set(open);
    },
  });
  const closed = counter(registry, {
    name: 'espalier_streams_closed_total',
    help: 'Closed streams of events, by reason: the code of the last event, client, or error.',
    labels: ['reason'],
  });
  return {
    opened() {
      open += 1;
    },
    closed(reason) {
      open -= 1;
      closed(reason);
    },
  };
}
