import { inRounds } from '../compare.ts';
import type { Service } from '../service.ts';
import type { Timing } from '../workers/timers.ts';
import type { Shape } from '../world/shape.ts';

/** A service and the world that it holds. */
export interface World {
  readonly worker: Service;
  readonly shape: Shape;
}

/** What an operation takes in each of these worlds, measured in turn. */
export async function times(operation: string, worlds: readonly World[], rounds: number, milliseconds: number) {
  const sides = worlds.map(({ worker, shape }) => ({
    name: String(shape.tasks),
    measure: () => worker.call('time', { shape, operation, milliseconds }),
  }));
  return (await inRounds<Timing>(rounds, sides)).map(({ micros, cpu }) => ({ micros: micros!, cpu: cpu! }));
}
