import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { createEspalier } from '../../adapters/service/index.ts';
import type { embeddedStore } from '../../adapters/store-embedded/index.ts';
import type { memoryStore } from '../../adapters/store-memory/index.ts';
import type { Store } from '../../core/ports/store.ts';
import { inRounds } from '../compare.ts';
import { serveCommands } from '../process/worker.ts';

/** What is compared: each is one call of the library. */
export const OPERATIONS = ['get', 'create', 'update', 'move by neighbour', 'move by key'] as const;
export type Operation = (typeof OPERATIONS)[number];

/** Microseconds of CPU for one call, of each build. */
export type Costs = Readonly<Record<Operation, readonly number[]>>;

interface Comparison {
  /** The folders of the builds. */
  readonly roots: readonly string[];
  /** The file of the embedded store of each; absent: the memory store. */
  readonly paths?: readonly string[];
  readonly rounds: number;
  /** Of calls in one round. */
  readonly calls: number;
}

type Calls = Readonly<Record<Operation, (n: number) => Promise<unknown>>>;

const TASKS = 1_000;
/** Calls before the first that counts: until then most of the time goes into compiling, of which a longer build has more. */
const WARM_UP = 4_096;
/** As many callers as there are connections in the other parts. */
const CALLERS = 16;

const commands = {
  /** Both builds work in this process, by turns: what the machine does meanwhile falls on both. */
  async compare({ roots, paths, rounds, calls }: Comparison): Promise<Costs> {
    const builds = await Promise.all(roots.map((root, i) => callsOf(root, paths?.[i])));
    const costs: Partial<Record<Operation, number[]>> = {};
    for (const operation of OPERATIONS) {
      for (const build of builds) await cpuOf(build[operation], WARM_UP, WARM_UP);
      const sides = builds.map((build, i) => {
        let first = 2 * WARM_UP;
        const measure = async () => ({ cpu: await cpuOf(build[operation], (first += calls), calls) });
        return { name: roots[i]!, measure };
      });
      costs[operation] = (await inRounds<{ cpu: number }>(rounds, sides)).map(({ cpu }) => cpu);
    }
    return costs as Costs;
  },
};
export type BuildsCommands = typeof commands;

async function cpuOf(call: (n: number) => Promise<unknown>, first: number, calls: number): Promise<number> {
  const before = process.cpuUsage();
  for (let n = first; n < first + calls; n += CALLERS) {
    await Promise.all(Array.from({ length: CALLERS }, (_, i) => call(n + i)));
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / calls;
}

async function callsOf(root: string, path: string | undefined): Promise<Calls> {
  const { createEspalier: create } = await exported<{ createEspalier: typeof createEspalier }>(root, '.');
  const ada = await memberOf(create({ store: await storeOf(root, path) }));
  const { sessions, at, boardId } = ada;
  const ids: string[] = [];
  const make = async (n: number) => {
    ids.push((await sessions.tasks.create({ ...at, boardId, title: `Task ${n}`, description: 'x'.repeat(100) })).id);
  };
  for (let n = 0; n < TASKS; n += 1) await make(n);
  const on = (n: number) => ({ ...at, taskId: ids[(n * 7) % TASKS]! });
  // Keys in between the others, none twice: how much room is left differs from build to build.
  const key = (n: number) => ((n * 9_973) % 1_000_003) * 65_536;
  return {
    get: (n) => sessions.tasks.get(on(n)),
    create: make,
    update: (n) => sessions.tasks.update({ ...on(n), title: `Title ${n}` }),
    'move by neighbour': (n) => sessions.tasks.update({ ...on(n), afterTaskId: ids[(n * 7 + 1) % TASKS]! }),
    'move by key': (n) => sessions.tasks.update({ ...on(n), statusOrderKey: key(n) }),
  };
}

async function memberOf(espalier: ReturnType<typeof createEspalier>) {
  const sessions = espalier.as(await espalier.users.create({ name: 'Ada', email: 'ada@example.org' }));
  const at = { workspaceId: (await sessions.workspaces.create({ name: 'Acme' })).id };
  const boardId = (await sessions.boards.create({ ...at, name: 'Board' })).id;
  await sessions.statuses.create({ ...at, boardId, name: 'Todo' });
  return { sessions, at, boardId };
}

async function storeOf(root: string, path: string | undefined): Promise<Store> {
  if (path === undefined) {
    return (await exported<{ memoryStore: typeof memoryStore }>(root, './memory')).memoryStore();
  }
  // What waiting for the disk costs says nothing about a build.
  return (await exported<{ embeddedStore: typeof embeddedStore }>(root, './embedded')).embeddedStore({
    path,
    durable: false,
  });
}

interface Manifest {
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>;
}

/** A build is used by what its package exports: its folders may have other names. */
async function exported<T>(root: string, name: string): Promise<T> {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
  const target = exports[name];
  if (target === undefined) throw new Error(`${root} does not export ${name}.`);
  return (await import(pathToFileURL(join(root, typeof target === 'string' ? target : target.default)).href)) as T;
}

serveCommands(commands);
