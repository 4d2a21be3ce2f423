import { setTimeout } from 'node:timers/promises';
import { inRounds } from '../compare.ts';
import type { Target } from '../figures.ts';
import type { Shot } from '../load/lua.ts';
import { judged, type Row } from '../row.ts';
import type { Scale } from '../scale.ts';
import { measured, scratch, type Measured } from '../service.ts';

/** A server that reports its CPU time. */
export interface Server {
  readonly worker: { call(name: 'cpu'): Promise<number> };
  readonly url: string;
}

/** A server and the requests that are sent to it. */
export interface Loaded extends Server {
  readonly shots: readonly Shot[];
}

export interface Versus {
  readonly scale: Scale;
  readonly connections: number;
  readonly product: Loaded;
  readonly limit: Loaded;
}

/** Puts the product and its limit under the same load in turn. @throws if a request failed on either side */
export async function versus({ scale, connections, product, limit }: Versus): Promise<[Measured, Measured]> {
  const [figure, bare] = await underLoad(scale, connections, [product, limit]);
  return [figure!, bare!];
}

/** Puts servers under the same load in turn. @throws if a request failed on any of them */
export function underLoad(
  { rounds, seconds }: Pick<Scale, 'rounds' | 'seconds'>,
  connections: number,
  servers: readonly Loaded[],
): Promise<Measured[]> {
  const sides = servers.map(({ worker, url, shots }) => ({
    name: url,
    async measure() {
      const seen = await measured(worker, { url, shots, connections, seconds, folder: scratch('') });
      if (seen.failed > 0) throw new Error(`${seen.failed} requests to ${url} failed.`);
      await settled(worker);
      return seen;
    },
  }));
  return inRounds(rounds, sides);
}

const LOOK = 100;
const LOOKS = 20;

/** Waits until a server has finished the unanswered requests of a load, which would slow down the next measurement. */
async function settled(worker: Server['worker']): Promise<void> {
  let before = await worker.call('cpu');
  for (let look = 0; look < LOOKS; look += 1) {
    await setTimeout(LOOK);
    const after = await worker.call('cpu');
    if (after - before < (LOOK * 1000) / 20) return;
    before = after;
  }
}

/** A row of requests per second. */
export function rateRow(
  row: { readonly name: string; readonly work: string; readonly against: string; readonly target: Target },
  figure: Measured,
  limit: Measured,
): Row {
  return judged({
    ...row,
    unit: 'requests/s',
    figure: figure.perSecond,
    limit: limit.perSecond,
    beside: {
      'CPU per request, us': figure.cpu,
      'of the limit, us': limit.cpu,
      'CPU ratio': limit.cpu / figure.cpu,
      'p99, ms': figure.p99,
      'p99 of the limit, ms': limit.p99,
    },
  });
}
