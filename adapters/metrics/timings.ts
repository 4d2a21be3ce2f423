/** Upper bounds of the buckets, in seconds. */
export const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5] as const;

/** A histogram of durations. Recorded without allocating. */
export class Timings {
  readonly #buckets = new Float64Array(BOUNDS.length + 1);
  #sum = 0;

  record(seconds: number): void {
    let i = 0;
    while (i < BOUNDS.length && seconds > BOUNDS[i]!) i += 1;
    this.#buckets[i]! += 1;
    this.#sum += seconds;
  }

  /** Cumulative buckets, as Prometheus expects. */
  values(name: string, labels: Labels): Sample[] {
    let count = 0;
    const samples: Sample[] = [];
    for (const [i, more] of this.#buckets.entries()) {
      count += more;
      samples.push({ metricName: `${name}_bucket`, labels: { ...labels, le: BOUNDS[i] ?? '+Inf' }, value: count });
    }
    samples.push({ metricName: `${name}_sum`, labels, value: this.#sum });
    samples.push({ metricName: `${name}_count`, labels, value: count });
    return samples;
  }
}

export type Labels = Readonly<Record<string, string | number>>;

export interface Sample {
  readonly metricName?: string;
  readonly labels: Labels;
  readonly value: number;
}
