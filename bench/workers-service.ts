import { serving } from './process/serve.ts';
import { childrenOf, cpuOf } from './process/cpu.ts';
import type { Server } from './rows/versus.ts';
import { copyOf } from './seeded.ts';
import type { Shape } from './world/shape.ts';

/** A service of several processes on the embedded store. */
export interface WorkersService extends Server {
  /** Of the caller of the world. */
  readonly token: string;
  end(): Promise<void>;
}

/** Linux only: what the processes use is read where the system tells it. */
export async function startedWorkers(shape: Shape, workers: number): Promise<WorkersService> {
  const { path, token } = await copyOf(shape);
  const { pid, url, end } = await serving('--store', `file:${path}`, '--workers', String(workers));
  const pids = [pid, ...childrenOf(pid)];
  if (pids.length !== workers + 1) throw new Error(`Of ${workers} workers ${pids.length - 1} were found.`);
  const call = async () => pids.reduce((sum, each) => sum + cpuOf(each), 0);
  return { url, token, worker: { call }, end };
}
