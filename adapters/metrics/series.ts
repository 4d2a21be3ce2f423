import type { Metric, Registry } from 'prom-client';
import { Timings, type Labels, type Sample } from './timings.ts';

/** A value per combination of up to three label values. Looked up without allocating. */
class Series<T> {
  readonly #make: () => T;
  readonly #found = new Map<string, Map<string, Map<string, T>>>();

  constructor(make: () => T) {
    this.#make = make;
  }

  at(one: string, two = '', three = ''): T {
    const some = inside(this.#found, one);
    const few = inside(some, two);
    let found = few.get(three);
    if (found === undefined) few.set(three, (found = this.#make()));
    return found;
  }

  *entries(): Generator<readonly [readonly string[], T]> {
    for (const [one, some] of this.#found) {
      for (const [two, few] of some) for (const [three, found] of few) yield [[one, two, three], found];
    }
  }
}

function inside<V>(map: Map<string, Map<string, V>>, key: string): Map<string, V> {
  let found = map.get(key);
  if (found === undefined) map.set(key, (found = new Map()));
  return found;
}

interface Described {
  readonly name: string;
  readonly help: string;
  /** The label values, in order. */
  readonly labels: readonly string[];
}

/** Counts. */
export function counter(registry: Registry, described: Described): (...words: string[]) => void {
  const series = new Series(() => ({ count: 0 }));
  registerLazy(registry, described, 'counter', () =>
    [...series.entries()].map(([words, { count }]) => ({ labels: labelled(described, words), value: count })),
  );
  return (one = '', two = '', three = '') => {
    series.at(one, two, three).count += 1;
  };
}

/** Durations in seconds. */
export function histogram(registry: Registry, described: Described): Series<Timings> {
  const series = new Series(() => new Timings());
  registerLazy(registry, described, 'histogram', () =>
    [...series.entries()].flatMap(([words, timings]) => timings.values(described.name, labelled(described, words))),
  );
  return series;
}

function labelled({ labels }: Described, words: readonly string[]): Labels {
  return Object.fromEntries(labels.map((label, i) => [label, words[i] ?? '']));
}

/**
 * Collected when scraped. The counters and histograms of prom-client look labels up by a string that they build at each
 * use. That takes longer than all other measuring of a small request.
 */
function registerLazy(
  registry: Registry,
  { name, help }: Described,
  type: 'counter' | 'histogram',
  values: () => readonly Sample[],
): void {
  const metric = { name, help, type, get: async () => ({ name, help, type, values: values(), aggregator: 'sum' }) };
  registry.registerMetric(metric as unknown as Metric);
}
