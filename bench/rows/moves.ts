import { inRounds } from '../compare.ts';
import type { Part } from '../part.ts';
import { judged, type Row } from '../row.ts';
import type { Scale } from '../scale.ts';
import type { Service } from '../service.ts';
import { seededOn, type StoreName } from '../stores.ts';
import { MOVES } from '../workers/operations.ts';
import type { Timing } from '../workers/timers.ts';
import { SMALL } from '../world/shape.ts';
import { createTask, movesAmong } from './requests.ts';
import { underLoad } from './versus.ts';

const STORES: readonly StoreName[] = ['memory', 'embedded', 'MongoDB'];
const CLIENTS = 16;
const CREATE = 'create a task';
/** It moves other tasks too: told, not judged. */
const TAKEN = 'move to a key that is taken';

/** CPU of the process for moves of a task and for creates, as requests to the service and as calls of the library. */
export const movesPart: Part = {
  name: 'moves',
  async run(scale) {
    const rows: Row[] = [];
    for (const store of STORES) {
      const worker = await seededOn(store, SMALL);
      if (worker === null) continue;
      try {
        const [create, ...moves] = await served(worker, scale);
        const [made, ...moved] = await called(worker, scale);
        for (const [i, move] of Object.keys(MOVES).entries())
          rows.push(
            judged({
              name: `${move.replaceAll(' ', '-')}-${store.toLowerCase()}`,
              work: `${move}, ${store}, ${CLIENTS} clients: CPU`,
              unit: 'us',
              figure: moves[i]!,
              against: CREATE,
              limit: create!,
              ...(move !== TAKEN && { target: { atMost: 1.2 } }),
              beside: {
                'in the library, us': moved[i]!,
                'a create there, us': made!,
                'times it': moved[i]! / made!,
              },
            }),
          );
      } finally {
        await worker.end();
      }
    }
    return rows;
  },
};

/** Of the service per request: a create, and each move. */
async function served(worker: Service, scale: Scale): Promise<number[]> {
  const url = await worker.call('listen');
  const token = await worker.call('callerToken', SMALL);
  const moves = Object.values(MOVES).map((move) => movesAmong(SMALL, token, move));
  const servers = [createTask(SMALL, token), ...moves].map((shots) => ({ worker, url, shots }));
  return (await underLoad(scale, CLIENTS, servers)).map(({ cpu }) => cpu);
}

/** Of the process per call of the library: a create, and each move. */
async function called(worker: Service, scale: Scale): Promise<number[]> {
  const milliseconds = scale.milliseconds * 10;
  const sides = [CREATE, ...Object.keys(MOVES)].map((operation) => ({
    name: operation,
    measure: () => worker.call('time', { shape: SMALL, operation, milliseconds, callers: CLIENTS }),
  }));
  const timings = await inRounds<Timing>(scale.rounds + 1, sides);
  return timings.flatMap(({ cpu }) => cpu ?? []);
}
