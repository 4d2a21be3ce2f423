import { inRounds } from '../compare.ts';
import type { Reach } from '../figures.ts';
import type { Shot } from '../load/lua.ts';
import { judged, type Row } from '../row.ts';
import type { Scale } from '../scale.ts';
import { measured, scratch, type Measured } from '../service.ts';

/** Somebody who answers requests and can say what it cost. */
export interface Server {
  readonly worker: { call(name: 'cpu'): Promise<number> };
  readonly url: string;
}

export interface Versus {
  readonly scale: Scale;
  readonly connections: number;
  readonly product: Server & { readonly shots: readonly Shot[] };
  readonly limit: Server & { readonly shots: readonly Shot[] };
}

/** Puts the product and its limit under the same load in turn. @throws when a request failed on either side */
export async function versus({ scale, connections, product, limit }: Versus): Promise<[Measured, Measured]> {
  const side = (name: string, { worker, url, shots }: Versus['product']) => ({
    name,
    measure: () => measured(worker, { url, shots, connections, seconds: scale.seconds, folder: scratch('') }),
  });
  const [figure, bare] = await inRounds(scale.rounds, [side('product', product), side('limit', limit)]);
  for (const each of [figure!, bare!]) {
    if (each.failed > 0) throw new Error(`${each.failed} requests failed.`);
  }
  return [figure!, bare!];
}

/** A row of requests per second. */
export function rateRow(
  row: { readonly name: string; readonly work: string; readonly against: string; readonly reach: Reach },
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
