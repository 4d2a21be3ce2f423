import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Machine } from '../machine.ts';
import type { Row } from '../row.ts';
import { kept } from './numbers.ts';

/** The results of one run, on one commit. */
export interface Run {
  readonly commit: string;
  readonly scale: string;
  /** When it began, ISO 8601. */
  readonly at: string;
  readonly machine: Machine;
  readonly rows: readonly MeasuredRow[];
}

export interface MeasuredRow extends Row {
  readonly part: string;
  /** The load of the machine when the part began: the mean number of runnable processes in the last minute. */
  readonly busy: number;
}

/** Numbers are stored with four significant digits. */
export function writeRun(file: string, run: Run): void {
  const round = (_: string, value: unknown) => (typeof value === 'number' ? kept(value) : value);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(run, round, 2)}\n`);
}
