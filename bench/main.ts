import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endCluster } from './cluster.ts';
import { requireWrk } from './load/wrk.ts';
import { busy, commit, machine } from './machine.ts';
import { optionsOf, type Options } from './options.ts';
import { PARTS, partsOf } from './parts.ts';
import { profiles } from './profile.ts';
import { shown } from './report/numbers.ts';
import { profileTable } from './report/profile-table.ts';
import { reportOf, withFigures } from './report/render.ts';
import { type MeasuredRow, type Run, writeRun } from './report/run.ts';
import { table } from './report/table.ts';
import { SCALES, sizesOn, type Scale } from './scale.ts';
import { scratch } from './service.ts';

/** Measures, prints a table, and stores the figures in dist/benchmarks.json. */

const TREE = fileURLToPath(new URL('../..', import.meta.url));

async function main(): Promise<boolean> {
  const options = optionsOf(process.argv.slice(2), PARTS);
  requireWrk();
  if (options.profile === null) return bench(options);
  await profile(options.profile, options);
  return true;
}

/** @returns whether everything could be measured; figures outside of their bounds are no failure */
async function bench(options: Options): Promise<boolean> {
  const scale = scaleOf(options);
  const rows: MeasuredRow[] = [];
  const failed: string[] = [];
  const run: Run = { commit: commit(), scale: scale.name, at: new Date().toISOString(), machine: machine(), rows };
  const start = performance.now();
  for (const part of partsOf(options)) {
    const began = performance.now();
    const wanted = busy();
    try {
      rows.push(...(await part.run(scale)).map((row) => ({ ...row, part: part.name, busy: wanted })));
      // Stored after each part, so that a run that is stopped keeps its figures.
      writeRun(join(TREE, 'dist', 'benchmarks.json'), run);
      console.error(`${part.name}: ${secondsSince(began)} s`);
    } catch (error) {
      failed.push(part.name);
      console.error(`${part.name} could not be measured:`, error);
    }
  }
  console.error(`All parts: ${secondsSince(start)} s`);
  console.log(reportOf(run));
  if (options.page) writePage(run);
  if (failed.length > 0) console.error(`Not measured: ${failed.join(', ')}`);
  return failed.length === 0;
}

const secondsSince = (began: number): string => shown((performance.now() - began) / 1000);

function writePage(run: Run): void {
  const file = join(TREE, 'docs', 'benchmarks.md');
  writeFileSync(file, withFigures(readFileSync(file, 'utf8'), run));
}

function scaleOf({ scale, soak, mostInMongodb }: Options): Scale {
  const own = SCALES[scale];
  return {
    ...own,
    ...(soak === null ? {} : { soakSeconds: soak }),
    ...(mostInMongodb
      ? { mongodb: { ...own.mongodb, sizes: [...sizesOn('MongoDB', own).sizes, 1_000_000], volume: own.volume } }
      : {}),
  };
}

async function profile(label: string, options: Options): Promise<void> {
  const { store } = options;
  const folder = join(TREE, 'dist', 'profiles', `${label}-${store}`);
  const url = store === 'memory' ? 'memory:' : `file:${scratch('profile.db')}`;
  const found = await profiles({ store: url, seconds: 3, folder });
  const [head, ...lines] = profileTable(found);
  console.log(table(head!, lines));
  for (const { request, hottest } of found) {
    console.log(`\n${request}`);
    for (const spot of hottest) {
      console.log(`${(spot.share * 100).toFixed(1).padStart(6)} %  ${spot.group}: ${spot.function} ${spot.file}`);
    }
  }
  console.error(`The profiles themselves are in ${folder}`);
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  // The processes of the bench end with it; the processes of the cluster must be stopped.
  process.once(signal, () => void endCluster().finally(() => process.exit(130)));
}

let ok = false;
try {
  ok = await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
} finally {
  await endCluster();
}
process.exit(ok ? 0 : 1);
