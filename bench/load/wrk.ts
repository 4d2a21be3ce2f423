import { spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { luaScript, type Shot } from './lua.ts';

/** The results of wrk. Latencies are in milliseconds. */
export interface Load {
  readonly requests: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly slowest: number;
  /** Requests that were not answered, or with a status of 400 and up. */
  readonly failed: number;
}

export interface LoadOptions {
  readonly url: string;
  readonly connections: number;
  readonly seconds: number;
  readonly shots: readonly Shot[];
  /** Lua code appended to the script. */
  readonly extra?: string;
  /** The folder for the script. */
  readonly folder: string;
}

/** @throws if wrk is not installed, with how to get it */
export function requireWrk(): void {
  if (spawnSync('wrk', ['-v'], { stdio: 'ignore' }).error === undefined) return;
  throw new Error('The load comes from wrk, which is not installed: apt-get install wrk');
}

/** Sends the shots repeatedly from a process of its own, the next one on each connection once the last was answered. */
export async function load(options: LoadOptions): Promise<Load> {
  const { url, connections, seconds, shots, extra = '', folder } = options;
  const script = join(folder, 'wrk.lua');
  writeFileSync(script, luaScript(shots) + extra);
  const args = ['-t1', `-c${connections}`, `-d${Math.ceil(seconds)}s`, '--timeout', '30s', '-s', script, url];
  const told = await output('wrk', args, Number.isInteger(seconds) ? null : seconds * 1000);
  const line = /^LOAD (.*)$/m.exec(told)?.[1];
  if (line === undefined) throw new Error(`wrk did not tell what it saw:\n${told}`);
  const { requests, micros, p50, p99, slowest, failed } = JSON.parse(line) as Record<string, number>;
  return {
    requests: requests!,
    perSecond: requests! / (micros! / 1e6),
    p50: p50! / 1000,
    p99: p99! / 1000,
    slowest: slowest! / 1000,
    failed: failed!,
  };
}

/** @param cut when to ask it to end, in milliseconds */
function output(command: string, args: readonly string[], cut: number | null): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()));
    if (cut !== null) setTimeout(() => child.kill('SIGINT'), cut);
    child.once('error', reject);
    child.once('close', () => resolve(text));
  });
}
