import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { Store } from '../../../core/ports/store.ts';
import { readEverything, newSharedWorld } from './concurrent-clients.ts';
import type { Operation } from './operation.ts';
import { recorder } from './record.ts';
import type { Orders } from './worker.ts';
import { bundled } from '../../fixtures/process/bundled.ts';

const script = bundled(new URL('worker.js', import.meta.url));

export interface Run {
  readonly processes: number;
  /** Of each process. */
  readonly clients: number;
  /** Of each client. */
  readonly calls: number;
  readonly seed: number;
}

/** The history of several processes at work on one store. */
export async function historyOf(store: Store, where: Orders['store'], run: Run): Promise<Operation[]> {
  const history: Operation[] = [];
  const by = recorder(store, 'main', history);
  const shared = await newSharedWorld(by, run.seed);
  const workers = Array.from({ length: run.processes }, (_, n) => {
    const worker = fork(script());
    const clients = {
      clients: run.clients,
      calls: run.calls,
      seed: run.seed + 1 + n,
      name: String.fromCharCode(97 + n),
    };
    worker.send({ store: where, shared, clients } satisfies Orders);
    return worker;
  });
  try {
    await Promise.all(workers.map((worker) => once(worker, 'message')));
    const histories = workers.map((worker) => once(worker, 'message') as Promise<[Operation[]]>);
    for (const worker of workers) worker.send('go');
    for (const [theirs] of await Promise.all(histories)) history.push(...theirs);
  } finally {
    for (const worker of workers) worker.kill('SIGKILL');
  }
  await readEverything(by, shared);
  return history;
}
