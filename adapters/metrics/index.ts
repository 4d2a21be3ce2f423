export { createMetrics, type MetricSnapshot, type Metrics } from './metrics.ts';
