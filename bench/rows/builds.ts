import { fileURLToPath } from 'node:url';
import { forkWorker } from '../process/fork.ts';
import type { Part } from '../part.ts';
import { judged, type Row } from '../row.ts';
import { scratch } from '../service.ts';
import type { BuildsCommands, Operation } from '../workers/builds.ts';

const HERE = fileURLToPath(new URL('../../..', import.meta.url));
const CALLS = 64;
/** Rounds are short, so that both builds meet the same moments of the machine; so there have to be many. */
const ROUNDS = 30;

/** The feed of changes and the history together may cost so much of these, above a build without them. */
const JUDGED: readonly Operation[] = ['create', 'update', 'move by neighbour', 'move by key'];

/**
 * CPU of single calls of the library beside another build, whose folder `AGAINST` names: a checkout of any commit, after
 * `npm ci` and `npx tsc -b`. Without it there are no rows.
 */
export const buildsPart: Part = {
  name: 'builds',
  async run(scale) {
    const other = process.env['AGAINST'];
    if (other === undefined || other === '') return [];
    return [...(await rowsOn('memory', scale.rounds, other)), ...(await rowsOn('embedded', scale.rounds, other))];
  },
};

async function rowsOn(store: 'memory' | 'embedded', rounds: number, other: string): Promise<Row[]> {
  const worker = forkWorker<BuildsCommands>('../workers/builds.js', import.meta.url);
  const paths = store === 'memory' ? {} : { paths: [scratch('build-0.db'), scratch('build-1.db')] };
  try {
    const roots = [HERE, other];
    const costs = await worker.call('compare', { roots, ...paths, rounds: rounds * ROUNDS, calls: CALLS });
    return Object.entries(costs).map(([operation, [own, theirs]]) =>
      judged({
        name: `${operation.replaceAll(' ', '-')}-${store}-against`,
        work: `${operation}, ${store}, in the library: CPU`,
        unit: 'us',
        figure: own!,
        against: 'the same of the other build',
        limit: theirs!,
        ...(JUDGED.includes(operation as Operation) && { target: { atMost: 1.1 } }),
      }),
    );
  } finally {
    await worker.end();
  }
}
