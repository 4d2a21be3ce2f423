import type { Engine } from '../../core/engine.ts';
import { sessionOf } from '../../core/session.ts';
import { validated } from '../../adapters/schemas/index.ts';
import { CALLER, namesOf, type Shape } from '../world/shape.ts';
import { OPERATIONS, type Run } from './operations.ts';

/** How long one call took, on average, in microseconds. */
export interface Timing extends Readonly<Record<string, number>> {
  readonly micros: number;
  /** Of it, CPU of the process. */
  readonly cpu: number;
}

interface Timers {
  /** @param callers that call at the same time. Default 1 */
  time(operation: string, milliseconds: number, callers?: number): Promise<Timing>;
}

const known = new Map<number, Timers>();

/** Calls the engine as the library does, on behalf of the caller of a world. */
export function timers(engine: Engine, shape: Shape): Timers {
  const before = known.get(shape.world);
  if (before !== undefined) return before;
  const session = sessionOf(validated(engine), { kind: 'user', userId: namesOf(shape).user(CALLER) });
  const runs = new Map<string, { readonly run: Run; calls: number }>();
  const made: Timers = {
    async time(operation, milliseconds, callers = 1) {
      const make = OPERATIONS[operation];
      if (make === undefined) throw new Error(`There is no operation ${operation}.`);
      const known = runs.get(operation) ?? { run: await make(session, shape), calls: 0 };
      runs.set(operation, known);
      const before = process.cpuUsage();
      const began = performance.now();
      const first = known.calls;
      const caller = async () => {
        do {
          known.calls += 1;
          await known.run(known.calls - 1);
        } while (performance.now() - began < milliseconds);
      };
      await Promise.all(Array.from({ length: callers }, caller));
      const calls = known.calls - first;
      const { user, system } = process.cpuUsage(before);
      return { micros: ((performance.now() - began) * 1000) / calls, cpu: (user + system) / calls };
    },
  };
  known.set(shape.world, made);
  return made;
}
