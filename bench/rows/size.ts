import { statSync } from 'node:fs';
import type { Part } from '../part.ts';
import { judged, type Row } from '../row.ts';
import { seeded } from '../seeded.ts';
import { openedService } from '../service.ts';
import { textBytesOf } from '../world/records.ts';
import { SHARED, type Shape } from '../world/shape.ts';

const KILOBYTE = 1024;

/** What a task takes in memory and in the file, beside the text that people wrote. */
export const sizePart: Part = {
  name: 'size',
  async run(scale) {
    const rows: Row[] = [];
    const tell = (name: string, work: string, { tasks }: Shape, bytes: number, beside: Row['beside']) => {
      const text = textOf(tasks) / tasks;
      rows.push(
        judged({
          name,
          work: `${work} per task of ${tasks}, beside its text`,
          unit: 'bytes',
          figure: bytes / tasks - text,
          target: { atMost: KILOBYTE },
          beside: { 'text, bytes': text, 'in all, bytes': bytes / tasks, ...beside },
        }),
      );
    };

    const inMemory: Shape = { ...SHARED, tasks: scale.memoryTasks };
    const memory = await openedService('memory:');
    try {
      const before = await memory.call('heap', { collected: true });
      await memory.call('seed', inMemory);
      const after = await memory.call('heap', { collected: true });
      tell('memory-per-task', 'memory store, heap', inMemory, after.used - before.used, {
        'resident, MB': after.resident / KILOBYTE ** 2,
      });
    } finally {
      await memory.end();
    }

    // A file that the growth of times is measured on too.
    const inFile: Shape = { ...SHARED, tasks: scale.sizes.at(-1)! };
    const sizeWith = async (tasks: number) => statSync((await seeded({ ...SHARED, tasks })).path).size;
    const size = await sizeWith(inFile.tasks);
    tell('file-per-task', 'embedded store, file', inFile, size - (await sizeWith(0)), {
      'file, MB': size / KILOBYTE ** 2,
    });
    return rows;
  },
};

/** In bytes, of all tasks of a world. */
function textOf(tasks: number): number {
  let bytes = 0;
  for (let n = 0; n < tasks; n += 1) bytes += textBytesOf(n);
  return bytes;
}
