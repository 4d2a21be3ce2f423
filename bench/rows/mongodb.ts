import { clusterUrl, freshDatabase } from '../cluster.ts';
import { inRounds } from '../compare.ts';
import type { Part } from '../part.ts';
import { judged } from '../row.ts';
import { limitWorker, measured, scratch, startedLimit, startedService } from '../service.ts';
import { namesOf, SMALL } from '../world/shape.ts';
import { createTask, getTasks } from './requests.ts';
import { versus } from './versus.ts';

const CONNECTIONS = 64;
const WRITERS = 16;
/** Characters in the task and in the change record that goes with it. */
const SIZES = [600, 250] as const;

/** Requests to the service on MongoDB. */
export const mongodbPart: Part = {
  name: 'mongodb',
  async run(scale) {
    const url = await clusterUrl();
    if (url === null) return [];
    const dbName = freshDatabase();
    const product = await startedService(url, SMALL, { dbName });
    const limit = await startedLimit({ kind: 'findOne', url, dbName, id: namesOf(SMALL).task(0) });
    const raw = limitWorker();
    try {
      const shots = getTasks(SMALL, product.token);
      const sides = { scale, product: { ...product, shots }, limit: { ...limit, shots } };
      const [get, found] = await versus({ ...sides, connections: CONNECTIONS });
      const [alone, foundAlone] = await versus({ ...sides, connections: 1 });
      await limit.worker.end();

      let failed = 0;
      const milliseconds = scale.seconds * 1000;
      const [post, transaction] = await inRounds<{ readonly perSecond: number; readonly cpu: number }>(scale.rounds, [
        {
          name: 'product',
          async measure() {
            const { worker, token } = product;
            const load = { url: product.url, connections: WRITERS, seconds: scale.seconds, folder: scratch('') };
            const seen = await measured(worker, { ...load, shots: createTask(SMALL, token) });
            failed += seen.failed;
            return { perSecond: seen.perSecond, cpu: seen.cpu };
          },
        },
        {
          name: 'transactions',
          measure: () => raw.call('mongodb', { url, dbName, clients: WRITERS, milliseconds, sizes: SIZES }),
        },
      ]);
      if (failed > 0) throw new Error(`${failed} creates failed.`);
      return [
        judged({
          name: 'get-task-mongodb-cpu',
          work: 'GET one task, MongoDB, 64 connections',
          unit: 'us of CPU',
          figure: get.cpu,
          against: 'bare h3 route with one findOne',
          limit: found.cpu,
          target: { atMost: 3 },
          beside: { 'requests/s': get.perSecond, 'of the limit': found.perSecond },
        }),
        judged({
          name: 'get-task-mongodb-latency',
          work: 'the same, one connection, median',
          unit: 'ms',
          figure: alone.p50,
          against: 'bare h3 route with one findOne',
          limit: foundAlone.p50,
          target: { atMost: 2 },
        }),
        judged({
          name: 'post-task-mongodb',
          work: 'POST task, MongoDB, 16 clients on one board',
          unit: 'requests/s',
          figure: post!.perSecond,
          against: 'raw two-write majority transactions that do not conflict, in process',
          limit: transaction!.perSecond,
          target: { atLeast: 0.5 },
          beside: { 'failed requests': failed, 'CPU per request, us': post!.cpu, 'of the limit, us': transaction!.cpu },
        }),
      ];
    } finally {
      await product.worker.end();
      await limit.worker.end();
      await raw.end();
    }
  },
};
