import { inRounds } from '../compare.ts';
import type { Part } from '../part.ts';
import { judged, type Row } from '../row.ts';
import { serviceOn, type StoreName } from '../stores.ts';
import { COLUMNS } from '../workers/operations.ts';
import type { Timing } from '../workers/timers.ts';
import { SMALL, type Shape } from '../world/shape.ts';

const STORES: readonly StoreName[] = ['memory', 'embedded', 'MongoDB'];

/** Moving a task to the top of a column, long or short. */
export const columnsPart: Part = {
  name: 'columns',
  async run(scale) {
    const shape: Shape = { ...SMALL, tasks: scale.column + 10, spread: 'columns' };
    const rows: Row[] = [];
    for (const store of STORES) {
      const worker = await serviceOn(store);
      if (worker === null) continue;
      try {
        await worker.call('seed', shape);
        const milliseconds = scale.milliseconds * (store === 'memory' ? 2 : 5);
        const [long, short] = await inRounds<Timing>(
          scale.rounds * 2 + 1,
          Object.keys(COLUMNS).map((operation) => ({
            name: operation,
            measure: () => worker.call('time', { shape, operation, milliseconds }),
          })),
        );
        rows.push(
          judged({
            name: `move-to-top-${store.toLowerCase()}`,
            work: `move a task to the top of a column of ${scale.column}, ${store}`,
            unit: 'us',
            figure: long!.micros!,
            against: 'of a column of 10',
            limit: short!.micros!,
            target: { atMost: 1.5 },
            beside: { 'CPU, us': long!.cpu!, 'of the short one, us': short!.cpu! },
          }),
        );
      } finally {
        await worker.end();
      }
    }
    return rows;
  },
};
