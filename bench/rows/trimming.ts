import type { Part } from '../part.ts';
import { quantile } from '../figures.ts';
import { pause } from '../load/send.ts';
import { judged } from '../row.ts';
import { sizesOn } from '../scale.ts';
import { serviceOn, type StoreName } from '../stores.ts';
import { SMALL, type Shape } from '../world/shape.ts';
import { othersIn, trafficOn } from './traffic.ts';

/** In seconds. */
const WITHIN = 60;
const BEFORE = 2_000;
const LOOKED_EVERY = 20;

/** Removing the changes of a log that have expired, while others work in the same workspace. */
export function trimmingPart(store: StoreName): Part {
  return {
    name: `trimming-${store.toLowerCase()}`,
    async run(scale) {
      const { changes } = sizesOn(store, scale);
      const shape: Shape = { ...SMALL, world: 9 };
      const worker = await serviceOn(store);
      if (worker === null) return [];
      try {
        const token = await worker.call('seed', shape);
        const url = await worker.call('listen');
        await worker.call('logOldChanges', { shape, changes });
        const traffic = trafficOn(url, othersIn(shape, token));
        await pause(scale.name === 'smoke' ? 100 : BEFORE);
        const before = traffic.take();
        await worker.call('startDelays');
        const began = performance.now();
        await worker.call('runJobs');
        while ((await worker.call('floor', shape)) < changes) await pause(LOOKED_EVERY);
        const seconds = (performance.now() - began) / 1_000;
        const { longest } = await worker.call('takeDelays');
        const during = await traffic.end();
        return [
          judged({
            name: `trimming-${store.toLowerCase()}`,
            work: `until ${changes} changes that have expired are gone, ${store}`,
            unit: 's',
            figure: seconds,
            target: { atMost: WITHIN },
            beside: {
              'requests meanwhile': during.length,
              'their p99, ms': quantile(during, 0.99),
              'their longest wait, ms': Math.max(...during),
              'longest wait before it, ms': Math.max(...before),
              'longest delay of the event loop, ms': longest,
            },
          }),
        ];
      } finally {
        await worker.end();
      }
    },
  };
}
