import { availableParallelism } from 'node:os';
import type { Shot } from '../load/lua.ts';
import type { Part } from '../part.ts';
import type { Row } from '../row.ts';
import { scratch, startedService } from '../service.ts';
import { startedWorkers } from '../workers-service.ts';
import { SMALL } from '../world/shape.ts';
import { createTask, moveTasks, moveTasksByKey } from './requests.ts';
import { rateRow, underLoad, versus } from './versus.ts';

const CLIENTS = 16;
const CORES = Math.min(availableParallelism(), 64);

const WRITES: Readonly<Record<string, (token: string) => readonly Shot[]>> = {
  'create a task': (token) => createTask(SMALL, token),
  'move a task by neighbour': (token) => moveTasks(SMALL, token),
  'move a task by key': (token) => moveTasksByKey(SMALL, token),
};

/** Durable writes of workers, of which one commits for all, beside those of one process. Linux only. */
export const workersPart: Part = {
  name: 'workers',
  async run(scale) {
    if (CORES < 2 || process.platform !== 'linux') return [];
    const one = await startedService(`file:${scratch('workers-one.db')}`, SMALL);
    const workers = await startedWorkers(SMALL, CORES);
    try {
      const rows: Row[] = [];
      for (const [work, shotsFor] of Object.entries(WRITES)) {
        const product = { ...workers, shots: shotsFor(workers.token) };
        const limit = { ...one, shots: shotsFor(one.token) };
        // Each worker gets a part of the load, and compiles for itself what one process compiles once.
        await underLoad({ rounds: 1, seconds: scale.seconds * 6 }, CLIENTS, [product, limit]);
        const [together, alone] = await versus({ scale, connections: CLIENTS, product, limit });
        rows.push(
          rateRow(
            {
              name: `workers-${work.replaceAll(' ', '-')}`,
              work: `${work}, embedded, durable, ${CORES} workers, ${CLIENTS} clients`,
              against: 'the same with one process',
              reach: { atLeast: 1.3 },
            },
            together,
            alone,
          ),
        );
      }
      return rows;
    } finally {
      await one.worker.end();
      await workers.end();
    }
  },
};
