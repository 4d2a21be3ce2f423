import { serving } from './process/serve.ts';
import { childrenOf, cpuOf } from './process/cpu.ts';
import type { Server } from './rows/versus.ts';
import { copyOf } from './seeded.ts';
import type { Shape } from './world/shape.ts';

/** A service on the embedded store, of one process or several. */
export interface WorkersService extends Server {
  /** Of the caller of the world. */
  readonly token: string;
  end(): Promise<void>;
}

/** Linux only: what the processes use is read where the system tells it. */
export async function startedWorkers(shape: Shape, workers: number): Promise<WorkersService> {
  const { path, token } = await copyOf(shape);
  const { pid, url, end } = await serving('--store', `file:${path}`, '--workers', String(workers));
  const children = childrenOf(pid);
  const expected = workers === 1 ? 0 : workers;
  if (children.length !== expected) throw new Error(`Of ${expected} workers ${children.length} were found.`);
  const call = async () => [pid, ...children].reduce((sum, each) => sum + cpuOf(each), 0);
  return { url, token, worker: { call }, end };
}
