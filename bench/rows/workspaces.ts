import { inRounds } from '../compare.ts';
import type { Part } from '../part.ts';
import { judged, type Row } from '../row.ts';
import { openedService, type Service } from '../service.ts';
import { freshPlace } from '../stores.ts';
import { SMALL, type Shape } from '../world/shape.ts';

const CLIENTS = 16;
const CREATE = 'create a task';
const PROCESSES = { one: 1, two: 2 };
const SHAPES: readonly Shape[] = Array.from({ length: CLIENTS }, (_, n) => ({ ...SMALL, world: n + 1, tasks: 100 }));

interface Rate extends Readonly<Record<string, number>> {
  readonly perSecond: number;
  /** Microseconds of CPU of the processes per call. */
  readonly cpu: number;
}

/** Creates on MongoDB by clients that each have a workspace, beside as many in one: through one process, and two. */
export const workspacesPart: Part = {
  name: 'workspaces',
  async run(scale) {
    const place = await freshPlace('MongoDB');
    if (place === null) return [];
    const processes: Service[] = [];
    try {
      for (let n = 0; n < PROCESSES.two; n += 1)
        processes.push(await openedService(place.url, { dbName: place.dbName }));
      for (const shape of SHAPES) await processes[0]!.call('seed', shape);
      const rows: Row[] = [];
      for (const [name, count] of Object.entries(PROCESSES)) {
        const used = processes.slice(0, count);
        const [apart, together] = await inRounds<Rate>(scale.rounds, [
          { name: 'apart', measure: () => rate(used, SHAPES, scale.milliseconds * 10) },
          { name: 'together', measure: () => rate(used, SHAPES.slice(0, 1), scale.milliseconds * 10) },
        ]);
        rows.push(
          judged({
            name: `workspaces-${name}-process${count > 1 ? 'es' : ''}`,
            work: `${CREATE}, MongoDB, ${CLIENTS} clients on ${CLIENTS} workspaces, ${name} process${count > 1 ? 'es' : ''}`,
            unit: 'creates/s',
            figure: apart!.perSecond!,
            against: 'the same on one workspace, whose writers share commits',
            limit: together!.perSecond!,
            beside: { 'CPU, us': apart!.cpu!, 'on one workspace, us': together!.cpu! },
          }),
        );
      }
      return rows;
    } finally {
      for (const process of processes) await process.end();
    }
  },
};

/** The clients are spread over the processes, and in each over the workspaces. */
async function rate(processes: readonly Service[], shapes: readonly Shape[], milliseconds: number): Promise<Rate> {
  const cpu = async () => (await Promise.all(processes.map((one) => one.call('cpu')))).reduce((a, b) => a + b, 0);
  const before = await cpu();
  const timings = await Promise.all(
    processes.flatMap((process, n) => {
      const own = shapes.length === 1 ? shapes : shapes.filter((_, i) => i % processes.length === n);
      const callers = CLIENTS / processes.length / own.length;
      return own.map((shape) => process.call('time', { shape, operation: CREATE, milliseconds, callers }));
    }),
  );
  const perSecond = timings.reduce((sum, { micros }) => sum + 1e6 / micros, 0);
  return { perSecond, cpu: ((await cpu()) - before) / ((perSecond * milliseconds) / 1000) };
}
