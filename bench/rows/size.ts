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
    const shape: Shape = { ...SHARED, tasks: scale.memoryTasks };
    let text = 0;
    for (let n = 0; n < shape.tasks; n += 1) text += textBytesOf(n);
    const rows: Row[] = [];
    const tell = (name: string, work: string, bytes: number, beside: Row['beside']) => {
      const perTask = bytes / shape.tasks;
      rows.push(
        judged({
          name,
          work: `${work} per task of ${shape.tasks}, beside its text`,
          unit: 'bytes',
          figure: perTask - text / shape.tasks,
          target: { atMost: KILOBYTE },
          beside: { 'text, bytes': text / shape.tasks, 'in all, bytes': perTask, ...beside },
        }),
      );
    };

    const memory = await openedService('memory:');
    try {
      const before = await memory.call('heap', { collected: true });
      await memory.call('seed', shape);
      const after = await memory.call('heap', { collected: true });
      tell('memory-per-task', 'memory store, heap', after.used - before.used, {
        'resident, MB': after.resident / KILOBYTE ** 2,
      });
    } finally {
      await memory.end();
    }

    const sizeWith = async (tasks: number) => statSync((await seeded({ ...shape, tasks })).path).size;
    const size = await sizeWith(shape.tasks);
    tell('file-per-task', 'embedded store, file', size - (await sizeWith(0)), { 'file, MB': size / KILOBYTE ** 2 });
    return rows;
  },
};
