import { assert, expect } from 'chai';

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Family {
  readonly name: string;
  readonly type: string;
  readonly samples: readonly Sample[];
}

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const LABEL = '[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\\\n]|\\\\["\\\\n])*"';
const SAMPLE = new RegExp(`^(${NAME})(?:\\{((?:${LABEL})(?:,${LABEL})*)\\})? (NaN|[+-]Inf|[-+.\\deE]+)$`);
const TYPES = ['counter', 'gauge', 'histogram', 'summary', 'untyped'];

/** Reads the text format of Prometheus, version 0.0.4. @throws for whatever a strict reader would not take */
export function parseExposition(text: string): readonly Family[] {
  assert(text.endsWith('\n'), 'does not end with a line end');
  const families: (Family & { readonly samples: Sample[] })[] = [];
  const seen = new Set<string>();
  let help: string | undefined;
  for (const line of text.split('\n')) {
    const [, about, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
    if (line === '') continue;
    if (about === 'HELP') {
      assert(!families.some((one) => one.name === name), `a second family ${name}`);
      help = name;
    } else if (about === 'TYPE') {
      expect(help, 'TYPE follows HELP').to.equal(name);
      assert(TYPES.includes(rest), line);
      families.push({ name, type: rest, samples: [] });
    } else {
      const sample = sampleOf(line);
      const key = `${sample.name} ${JSON.stringify(Object.entries(sample.labels).map(String).sort())}`;
      assert(!seen.has(key), `twice: ${line}`);
      seen.add(key);
      const family = families.at(-1);
      const suffixes = family?.type === 'histogram' ? ['_bucket', '_sum', '_count'] : [''];
      assert(
        suffixes.some((suffix) => sample.name === `${family?.name}${suffix}`),
        `out of its family: ${line}`,
      );
      family!.samples.push(sample);
    }
  }
  for (const family of families) if (family.type === 'histogram') checkHistogram(family);
  return families;
}

function sampleOf(line: string): Sample {
  const [, name, labels = '', value] = SAMPLE.exec(line) ?? [];
  assert(name !== undefined && value !== undefined, `no sample: ${line}`);
  const pairs = [...labels.matchAll(new RegExp(LABEL, 'g'))].map(([pair]) => {
    const at = pair.indexOf('=');
    return [pair.slice(0, at), JSON.parse(pair.slice(at + 1)) as string] as const;
  });
  expect(new Set(pairs.map(([label]) => label)).size, line).to.equal(pairs.length);
  const number = value.endsWith('Inf') ? Infinity : Number(value);
  assert(value === 'NaN' || !Number.isNaN(number), line);
  return { name, labels: Object.fromEntries(pairs), value: number };
}

/** Buckets grow, the last is the count, and each series has a sum. */
function checkHistogram({ name, samples }: Family): void {
  const bySeries = new Map<string, Sample[]>();
  for (const sample of samples) {
    const { le: _, ...labels } = sample.labels;
    const key = JSON.stringify(labels);
    bySeries.set(key, [...(bySeries.get(key) ?? []), sample]);
  }
  for (const [key, series] of bySeries) {
    const buckets = series.filter((sample) => sample.name === `${name}_bucket`);
    const bounds = buckets.map(({ labels }) => (labels['le'] === '+Inf' ? Infinity : Number(labels['le'])));
    expect(bounds, key).to.deep.equal(bounds.toSorted((a, b) => a - b));
    expect(bounds.at(-1), key).to.equal(Infinity);
    const values = buckets.map(({ value }) => value);
    expect(values, key).to.deep.equal(values.toSorted((a, b) => a - b));
    expect(series.find((sample) => sample.name === `${name}_count`)?.value, key).to.equal(values.at(-1));
    assert(
      series.some((sample) => sample.name === `${name}_sum`),
      key,
    );
  }
}
