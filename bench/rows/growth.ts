import type { Part } from '../part.ts';
import { judged, type Row } from '../row.ts';
import { type Scale, sizesOn } from '../scale.ts';
import { seededOn, type StoreName } from '../stores.ts';
import { GROWING, STEADY } from '../workers/operations.ts';
import { SHARED, type Shape } from '../world/shape.ts';
import { times, type World } from './worlds.ts';

const ATMOST = 1.3;

/** The same work in workspaces of more and more tasks, each in a process of its own, measured in turn. */
export function growthPart(store: StoreName): Part {
  return {
    name: `growth-${store.toLowerCase()}`,
    async run(scale) {
      const { sizes } = sizesOn(store, scale);
      if (sizes.length === 0) return [];
      const worlds: World[] = [];
      try {
        for (const tasks of sizes) {
          const shape: Shape = { ...SHARED, tasks };
          const worker = await seededOn(store, shape);
          if (worker === null) return [];
          worlds.push({ worker, shape });
        }
        const steady: Row[] = [];
        for (const operation of Object.keys(STEADY)) {
          steady.push(await steadyRow(store, operation, worlds, scale));
        }
        const growing: Row[] = [];
        for (const operation of Object.keys(GROWING)) {
          growing.push(await growingRow(store, operation, worlds, scale));
        }
        return [worst(store, sizes, steady), ...steady, ...growing];
      } finally {
        for (const { worker } of worlds) await worker.end();
      }
    },
  };
}

async function steadyRow(store: StoreName, operation: string, worlds: readonly World[], scale: Scale): Promise<Row> {
  const found = await times(operation, worlds, steadyRounds(scale), scale.milliseconds);
  return rowOf(store, operation, worlds, found, true);
}

/** What is judged closely is measured often. */
function steadyRounds({ rounds }: Scale): number {
  return rounds === 1 ? 1 : rounds + 2;
}

async function growingRow(store: StoreName, operation: string, worlds: readonly World[], scale: Scale): Promise<Row> {
  const found = await times(operation, worlds, Math.min(scale.rounds, 2), scale.milliseconds / 4);
  return rowOf(store, operation, worlds, found, false);
}

function rowOf(
  store: StoreName,
  operation: string,
  worlds: readonly World[],
  found: readonly { readonly micros: number; readonly cpu: number }[],
  isSteady: boolean,
): Row {
  const [least, most] = [found[0]!, found.at(-1)!];
  const sizes = worlds.map(({ shape }) => shape.tasks);
  const ratios = found.slice(1).map(({ micros }) => micros / least.micros);
  const how = growth(Math.max(1, most.micros / least.micros), sizes.at(-1)! / sizes[0]!);
  return judged({
    name: `${isSteady ? 'steady' : 'growing'}-${store.toLowerCase()}-${slug(operation)}`,
    work: `${operation}, ${store}`,
    unit: 'us',
    figure: most.micros,
    against: `the same with ${sizes[0]} tasks`,
    limit: least.micros,
    ...(isSteady ? { target: { atMost: ATMOST } } : {}),
    beside: {
      ...Object.fromEntries(found.map(({ micros }, i) => [`${sizes[i]} tasks, us`, micros])),
      ...(isSteady ? { 'CPU ratio': most.cpu / least.cpu, 'worst ratio': Math.max(1, ...ratios) } : { grows: how }),
    },
  });
}

/** How a time that became so many times as long follows a number that did. */
function growth(times: number, size: number): string {
  const power = size === 1 ? 0 : Math.log(times) / Math.log(size);
  if (power < 0.12) return 'hardly';
  if (power < 0.75) return 'slower than the number of tasks';
  return power < 1.2 ? 'like the number of tasks' : 'faster than the number of tasks';
}

/** All of the steady ones in one row. */
function worst(store: StoreName, sizes: readonly number[], steady: readonly Row[]): Row {
  const row = steady.reduce((a, b) => (b.ratio! > a.ratio! ? b : a));
  const short = steady.filter(({ met }) => met === false).length;
  return judged({
    name: `growth-${store.toLowerCase()}`,
    work: `${steady.length} kinds of work with ${sizes.at(-1)} tasks, ${store}: the one that grows most`,
    unit: 'us',
    figure: row.figure,
    against: row.against!,
    limit: row.limit!,
    target: { atMost: ATMOST },
    beside: { which: row.work, 'short of it': short },
  });
}

function slug(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]+/g, '-');
}
