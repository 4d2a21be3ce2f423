import { inRounds } from '../compare.ts';
import type { Part } from '../part.ts';
import { judged, type Row } from '../row.ts';
import { seededOn, type StoreName } from '../stores.ts';
import type { Timing } from '../workers/timers.ts';
import { SMALL } from '../world/shape.ts';

const STORES: readonly StoreName[] = ['memory', 'embedded', 'MongoDB'];
const CALLERS = 16;
const CREATE = 'create a task';
const TAKEN = 'move to a key that is taken';
const MOVES = ['move by neighbour', 'move by key'];

/** Moving a task in the two ways there are, beside creating one: CPU of the process for each, in the library. */
export const movesPart: Part = {
  name: 'moves',
  async run(scale) {
    const rows: Row[] = [];
    for (const store of STORES) {
      const worker = await seededOn(store, SMALL);
      if (worker === null) continue;
      try {
        const milliseconds = scale.milliseconds * 10;
        const [create, taken, ...moves] = await inRounds<Timing>(
          scale.rounds * 2 + 1,
          [CREATE, TAKEN, ...MOVES].map((operation) => ({
            name: operation,
            measure: () => worker.call('time', { shape: SMALL, operation, milliseconds, callers: CALLERS }),
          })),
        );
        rows.push(
          ...moves.map((move, i) =>
            judged({
              name: `${MOVES[i]!.replaceAll(' ', '-')}-${store.toLowerCase()}`,
              work: `${MOVES[i]!}, ${store}, ${CALLERS} callers: CPU`,
              unit: 'us',
              figure: move.cpu!,
              against: CREATE,
              limit: create!.cpu!,
              target: { atMost: 1.2 },
              beside: { 'time, us': move.micros!, 'of a create, us': create!.micros!, [`${TAKEN}, us`]: taken!.cpu! },
            }),
          ),
        );
      } finally {
        await worker.end();
      }
    }
    return rows;
  },
};
