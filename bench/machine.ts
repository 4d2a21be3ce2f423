import { execFileSync } from 'node:child_process';
import { cpus, loadavg, totalmem, type as system, release } from 'node:os';

/** The machine that the figures come from. */
export interface Machine {
  readonly cores: number;
  readonly cpu: string;
  readonly memoryGb: number;
  readonly system: string;
  readonly node: string;
}

export function machine(): Machine {
  const cores = cpus();
  return {
    cores: cores.length,
    cpu: cores[0]?.model ?? 'unknown',
    memoryGb: Math.round(totalmem() / 2 ** 30),
    system: `${system()} ${release()}`,
    node: process.version,
  };
}

/** The load of the machine: the mean number of runnable processes in the last minute. */
export function busy(): number {
  return Math.round((loadavg()[0] ?? 0) * 10) / 10;
}

/** The measured commit, with a + if the working tree differs from it. */
export function commit(): string {
  try {
    const git = (...args: string[]) => execFileSync('git', args, { stdio: ['ignore', 'pipe', 'ignore'] }).toString();
    return git('rev-parse', '--short', 'HEAD').trim() + (git('status', '--porcelain', '-uno').trim() === '' ? '' : '+');
  } catch {
    return 'unknown';
  }
}
