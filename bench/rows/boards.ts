import type { Part } from '../part.ts';
import { judged, type Row } from '../row.ts';
import { sizesOn } from '../scale.ts';
import { seededOn, type StoreName } from '../stores.ts';
import { COUNTS } from '../workers/operations.ts';
import { SMALL, type Shape } from '../world/shape.ts';
import { times, type World } from './worlds.ts';

/** Tasks of the largest board with pages of their own, which hide them from who reads the board. */
const HIDDEN = 1_000;

/** Reading a board of few and of many tasks, and counting them, each in a process of its own, in turn. */
export function boardsPart(store: StoreName): Part {
  return {
    name: `boards-${store.toLowerCase()}`,
    async run(scale) {
      const { rounds, milliseconds } = scale;
      const { boardTasks: sizes } = sizesOn(store, scale);
      const boards: World[] = [];
      const micros = async (some: readonly World[], operation: string) =>
        (await times(operation, some, rounds + 2, milliseconds)).map((timing) => timing.micros);
      try {
        for (const tasks of sizes) {
          const shape: Shape = { ...SMALL, tasks };
          const worker = await seededOn(store, shape);
          if (worker === null) return [];
          boards.push({ worker, shape });
        }
        const operations = Object.keys(COUNTS);
        const plain: number[][] = [];
        for (const operation of operations) plain.push(await micros(boards, operation));
        const largest = boards.at(-1)!;
        const hidden = Math.min(HIDDEN, largest.shape.tasks / 10);
        await largest.worker.call('hideTasks', { ...largest.shape, hidden });
        const rows: Row[] = [];
        for (const [i, operation] of operations.entries()) {
          const [few, many] = [plain[i]![0]!, plain[i]!.at(-1)!];
          const [withHidden] = await micros([largest], operation);
          rows.push(
            judged({
              name: `${store.toLowerCase()}-${operation.split(',')[0]!.replaceAll(' ', '-')}`,
              work: `${operation}, of ${sizes.at(-1)} tasks, ${store}`,
              unit: 'us',
              figure: many,
              against: `of ${sizes[0]} tasks`,
              limit: few,
              target: { atMost: 1.3 },
              beside: {
                ...Object.fromEntries(sizes.map((tasks, n) => [`${tasks} tasks, us`, plain[i]![n]!])),
                [`with ${hidden} hidden ones, us`]: withHidden!,
              },
            }),
          );
        }
        return rows;
      } finally {
        for (const { worker } of boards) await worker.end();
      }
    },
  };
}
