import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { CliDirectory } from './in-process.ts';

/** The program as people start it. Seen from `dist/test/edges/cli`. */
export const MAIN = fileURLToPath(new URL('../../../bin/espalier.js', import.meta.url));

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts the program at a cliDirectory, as a process of its own. */
export function start(cliDirectory: CliDirectory, ...args: readonly string[]): ChildProcessWithoutNullStreams {
  return startAt(MAIN, cliDirectory, ...args);
}

/** @param main where the program is */
export function startAt(
  main: string,
  { path, env }: CliDirectory,
  ...args: readonly string[]
): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [main, ...args], { cwd: path, env: { PATH: process.env['PATH'], ...env } });
}

export async function ended(child: ChildProcessWithoutNullStreams): Promise<Ended> {
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (data: Buffer) => (stdout += data.toString()));
  child.stderr.on('data', (data: Buffer) => (stderr += data.toString()));
  const [code] = (await once(child, 'close')) as [number];
  return { code, stdout, stderr };
}
