import { readFileSync, writeFileSync } from 'node:fs';
import type { Machine } from '../machine.ts';
import type { Profiled } from '../profile.ts';
import type { Row } from '../row.ts';
import { kept } from './numbers.ts';

/** A row with where it comes from. */
export interface KeptRow extends Row {
  readonly part: string;
  readonly scale: string;
  readonly commit: string;
  readonly at: string;
  /** Other work of the machine at that time: the mean number of processes that wanted to run. */
  readonly busy: number;
}

export interface KeptProfile {
  readonly label: string;
  readonly store: string;
  readonly commit: string;
  readonly at: string;
  readonly busy: number;
  readonly requests: readonly Omit<Profiled, 'hottest'>[];
}

/** What `docs/benchmarks.json` holds. */
export interface Data {
  readonly machine: Machine | null;
  readonly rows: readonly KeptRow[];
  readonly profiles: readonly KeptProfile[];
}

const NOTHING: Data = { machine: null, rows: [], profiles: [] };

export function readData(file: string): Data {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Data;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return NOTHING;
    throw error;
  }
}

export function writeData(file: string, data: Data): void {
  const round = (_: string, value: unknown) => (typeof value === 'number' ? kept(value) : value);
  writeFileSync(file, `${JSON.stringify(data, round, 2)}\n`);
}

/** With new rows in the place of those of the same name, by part in the order in which parts run. */
export function withRows(data: Data, machine: Machine, rows: readonly KeptRow[], order: readonly string[]): Data {
  const measured = new Set(rows.map(({ part }) => part));
  const known = new Set(order);
  const others = data.rows.filter(({ part }) => !measured.has(part) && known.has(part));
  const all = [...others, ...rows].sort((a, b) => order.indexOf(a.part) - order.indexOf(b.part));
  return { ...data, machine, rows: all };
}

export function withProfile(data: Data, machine: Machine, profile: KeptProfile): Data {
  const others = data.profiles.filter(({ label, store }) => label !== profile.label || store !== profile.store);
  return { ...data, machine, profiles: [...others, profile] };
}
