import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load, type Load, type LoadOptions } from './load/wrk.ts';
import { coreTimes, leastBusy } from './process/cores.ts';
import { forkWorker, type Fork } from './process/fork.ts';
import type { Bare, LimitCommands } from './workers/limit.ts';
import type { Open, ServiceCommands } from './workers/service.ts';
import type { Shape } from './world/shape.ts';

/** A million tasks in memory exceed the default heap limit of a process. */
const HEAP = ['--max-old-space-size=8192'];

export type Service = Fork<ServiceCommands>;
export type Limit = Fork<LimitCommands>;

/** A service that holds a world and listens. */
export interface Listening {
  readonly worker: Service;
  readonly url: string;
  /** The token of the caller of the world. */
  readonly token: string;
}

type OpenOptions = Omit<Open, 'store'>;

/** @param store as `openStore` takes it, or the URL of a MongoDB cluster */
export async function startedService(store: string, shape: Shape, options: OpenOptions = {}): Promise<Listening> {
  const worker = await openedService(store, options);
  const token = await worker.call('seed', shape);
  return { worker, url: await worker.call('listen'), token };
}

export async function openedService(store: string, options: OpenOptions = {}): Promise<Service> {
  const worker: Service = forkWorker<ServiceCommands>('./workers/service.js', import.meta.url, HEAP);
  await worker.call('open', { store, ...options });
  return worker;
}

export async function startedLimit(bare: Bare): Promise<{ readonly worker: Limit; readonly url: string }> {
  const worker = limitWorker();
  return { worker, url: await worker.call('listen', bare) };
}

export function limitWorker(): Limit {
  return forkWorker<LimitCommands>('./workers/limit.js', import.meta.url);
}

/** `cpu`: of the server per request, in microseconds. `leastBusy`: the share of the time in which the least busy core of the machine worked. */
export type Measured = Readonly<Record<keyof Load | 'cpu' | 'leastBusy', number>>;

const LONGEST_LOAD = 60;

/**
 * The results of wrk, and the CPU time of the server per request, in microseconds. If no request was answered in the
 * given time, as on a very busy machine, the run is repeated for longer.
 */
export async function measured(
  server: { call(name: 'cpu'): Promise<number> },
  options: LoadOptions,
): Promise<Measured> {
  for (let { seconds } = options; seconds < LONGEST_LOAD; seconds *= 4) {
    const before = await server.call('cpu');
    const cores = coreTimes();
    const seen = await load({ ...options, seconds });
    const busy = leastBusy(cores, coreTimes());
    const after = await server.call('cpu');
    if (seen.requests > 0) return { ...seen, cpu: (after - before) / seen.requests, leastBusy: busy };
  }
  throw new Error(`No request to ${options.url} was answered.`);
}

let folder: string | null = null;

/** The folder for files of the bench. It is removed when the process ends. */
export function scratch(name: string): string {
  if (folder === null) {
    const made = mkdtempSync(join(tmpdir(), 'espalier-bench-'));
    process.once('exit', () => rmSync(made, { recursive: true, force: true }));
    folder = made;
  }
  return join(folder, name);
}
