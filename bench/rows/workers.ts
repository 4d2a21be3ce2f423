import { availableParallelism } from 'node:os';
import type { Shot } from '../load/lua.ts';
import type { Part } from '../part.ts';
import { judged, type Row } from '../row.ts';
import type { Measured } from '../service.ts';
import { startedWorkers } from '../workers-service.ts';
import { SMALL } from '../world/shape.ts';
import { createTask, moveTasks, moveTasksByKey } from './requests.ts';
import { underLoad, versus } from './versus.ts';

const CLIENTS = 16;
const CORES = Math.min(availableParallelism(), 64);

const WRITES: Readonly<Record<string, (token: string) => readonly Shot[]>> = {
  'create a task': (token) => createTask(SMALL, token),
  'move a task by neighbour': (token) => moveTasks(SMALL, token),
  'move a task by key': (token) => moveTasksByKey(SMALL, token),
};

/** At least this many times the rate of one process, */
const FASTER = 1.3;
/** or, where both cores work more than this share of the time, no slower than one process */
const BUSY = 0.95;
/** for at most this many times the CPU per write. */
const DEARER = 1.15;

/** Durable writes of workers, of which one commits for all, beside those of one process. Linux only. */
export const workersPart: Part = {
  name: 'workers',
  async run(scale) {
    if (CORES < 2 || process.platform !== 'linux') return [];
    const one = await startedWorkers(SMALL, 1);
    const workers = await startedWorkers(SMALL, CORES);
    try {
      const rows: Row[] = [];
      for (const [work, shotsFor] of Object.entries(WRITES)) {
        const product = { ...workers, shots: shotsFor(workers.token) };
        const limit = { ...one, shots: shotsFor(one.token) };
        // Each worker gets a part of the load, and compiles for itself what one process compiles once.
        await underLoad({ rounds: 1, seconds: scale.seconds * 4 }, CLIENTS, [product, limit]);
        // Syncs take longer at some moments than at others: many short rounds by turns.
        const rounds = scale.rounds * 2;
        const [together, alone] = await versus({ scale: { ...scale, rounds }, connections: CLIENTS, product, limit });
        rows.push(rowOf(work, together, alone));
      }
      return rows;
    } finally {
      await one.end();
      await workers.end();
    }
  },
};

function rowOf(work: string, together: Measured, alone: Measured): Row {
  const [rate, dearer] = [together.perSecond / alone.perSecond, together.cpu / alone.cpu];
  return judged({
    name: `workers-${work.replaceAll(' ', '-')}`,
    work: `${work}, embedded, durable, ${CORES} workers, ${CLIENTS} clients`,
    unit: 'requests/s',
    figure: together.perSecond,
    against: 'the same with one process',
    limit: alone.perSecond,
    target: { atLeast: FASTER },
    or: {
      words: 'at least 1 with all cores over 95 % busy and at most 15 % more CPU',
      met: together.leastBusy > BUSY && rate >= 1 && dearer <= DEARER,
    },
    beside: {
      'CPU per request, us': together.cpu,
      'of one process, us': alone.cpu,
      'times its CPU': dearer,
      'least busy core, %': together.leastBusy * 100,
      'with one process, %': alone.leastBusy * 100,
      'p99, ms': together.p99,
      'p99 of one process, ms': alone.p99,
    },
  });
}
