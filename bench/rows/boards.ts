import { inRounds } from '../compare.ts';
import type { Part } from '../part.ts';
import { judged } from '../row.ts';
import { seededOn, type StoreName } from '../stores.ts';
import { COUNTS } from '../workers/operations.ts';
import type { Timing } from '../workers/timers.ts';
import type { Service } from '../service.ts';
import { SMALL, type Shape } from '../world/shape.ts';

const MAX_ON_MONGODB = 100_000;
/** Tasks of the largest board with pages of their own, which hide them from who reads the board. */
const HIDDEN = 1_000;

/** Reading a board of few and of many tasks, and counting them, each in a process of its own, in turn. */
export function boardsPart(store: StoreName): Part {
  return {
    name: `boards-${store.toLowerCase()}`,
    async run({ boardTasks, rounds, milliseconds }) {
      const sizes = boardTasks.filter((tasks) => store !== 'MongoDB' || tasks <= MAX_ON_MONGODB);
      const most = sizes.at(-1)!;
      const shapes: Shape[] = [
        ...sizes.map((tasks) => ({ ...SMALL, tasks })),
        { ...SMALL, tasks: most, hidden: Math.min(HIDDEN, most / 10) },
      ];
      const workers: Service[] = [];
      try {
        for (const shape of shapes) {
          const worker = await seededOn(store, shape);
          if (worker === null) return [];
          workers.push(worker);
        }
        const rows = [];
        for (const operation of Object.keys(COUNTS)) {
          const sides = shapes.map((shape, n) => ({
            name: String(shape.tasks),
            measure: () => workers[n]!.call('time', { shape, operation, milliseconds }),
          }));
          const micros = (await inRounds<Timing>(rounds + 2, sides)).map((timing) => timing.micros!);
          const [few, many] = [micros[0]!, micros.at(-2)!];
          rows.push(
            judged({
              name: `${store.toLowerCase()}-${operation.split(',')[0]!.replaceAll(' ', '-')}`,
              work: `${operation}, of ${most} tasks, ${store}`,
              unit: 'us',
              figure: many,
              against: `of ${sizes[0]} tasks`,
              limit: few,
              target: { atMost: 1.3 },
              beside: {
                ...Object.fromEntries(sizes.map((tasks, n) => [`${tasks} tasks, us`, micros[n]!])),
                [`with ${shapes.at(-1)!.hidden} hidden ones, us`]: micros.at(-1)!,
              },
            }),
          );
        }
        return rows;
      } finally {
        for (const worker of workers) await worker.end();
      }
    },
  };
}
