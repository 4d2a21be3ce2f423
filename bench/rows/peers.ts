import { availableParallelism } from 'node:os';
import type { Shot } from '../load/lua.ts';
import type { Part } from '../part.ts';
import { startedRival, type Rival } from '../rival/rival.ts';
import { judged, type Row } from '../row.ts';
import type { Scale } from '../scale.ts';
import { scratch, startedService, type Measured } from '../service.ts';
import { startedWorkers, type WorkersService } from '../workers-service.ts';
import { SMALL } from '../world/shape.ts';
import { answerTo, createTask, getTasks, listBoard, moveTasks, moveTasksByKey } from './requests.ts';
import { underLoad, type Loaded } from './versus.ts';

const CLIENTS = 16;

/** What is measured, in this order: from the first create on the board is longer. */
const WORK = [
  { name: 'read', work: 'read a task', longer: 1 },
  // Of boards few are read in a second, and those that are not done at its end count for nothing.
  { name: 'board', work: 'a board of 1,000 tasks', longer: 2 },
  { name: 'move', work: 'move a task by neighbour, durable', longer: 1 },
  { name: 'key', work: 'move a task by key, durable', longer: 1 },
  { name: 'create', work: 'create a task, durable', longer: 1 },
] as const;

/** Ahead in rate, whatever the rate is made of, */
const RATE = { atLeast: 1 };
/** for a quarter of the CPU. */
const CPU = { atMost: 1 / 4 };

type Work = (typeof WORK)[number];
type Name = Work['name'];

/** Pieces of work per second that others reached from 16 clients elsewhere, on two cores that are about twice as fast. */
const ELSEWHERE: Readonly<Record<Name, Readonly<Record<'PocketBase' | 'Vikunja' | 'Planka', number>>>> = {
  read: { PocketBase: 3_670, Vikunja: 700, Planka: 100 },
  board: { PocketBase: 119, Vikunja: 48, Planka: 15 },
  create: { PocketBase: 2_290, Vikunja: 190, Planka: 50 },
  move: { PocketBase: 2_270, Vikunja: 190, Planka: 50 },
  key: { PocketBase: 2_270, Vikunja: 190, Planka: 50 },
};

const CORES = Math.min(availableParallelism(), 64);

/** The embedded store from 16 clients, beside what others do. */
export const peersPart: Part = {
  name: 'peers',
  async run(scale) {
    const ours = await startedService(`file:${scratch('peers.db')}`, SMALL);
    const rivals: Rival[] = [];
    let team: WorkersService | null = null;
    try {
      for (const rule of ['relation', 'collection'] as const) {
        const rival = await startedRival(SMALL, rule);
        if (rival !== null) rivals.push(rival);
      }
      if (CORES > 1 && process.platform === 'linux') team = await startedWorkers(SMALL, CORES);
      const shots = await shotsTo(ours);
      const teamShots = team === null ? null : await shotsTo(team);
      const rows: Row[] = [];
      for (const work of WORK) {
        const { name } = work;
        const inWorkers = team === null ? null : { ...team, shots: teamShots![name] };
        if (inWorkers !== null) await warmUp(scale, inWorkers);
        rows.push(...(await rowsOf(work, scale, { ...ours, shots: shots[name] }, inWorkers, rivals)));
      }
      return rows;
    } finally {
      await ours.worker.end();
      for (const rival of rivals) await rival.end();
      await team?.end();
    }
  },
};

/** One shot for each request that a piece of work takes, or any number of shots that are one each. */
async function shotsTo({ url, token }: Pick<WorkersService, 'url' | 'token'>): Promise<Record<Name, readonly Shot[]>> {
  const first = listBoard(SMALL, token);
  const next = linkOf(await answerTo(url, first));
  return {
    read: getTasks(SMALL, token),
    board: next === null ? [first] : [first, { ...first, path: next }],
    move: moveTasks(SMALL, token),
    key: moveTasksByKey(SMALL, token),
    create: createTask(SMALL, token),
  };
}

/** Each worker gets a part of the load alone, and would be measured while V8 still compiles what one process has compiled. */
async function warmUp(scale: Scale, team: Loaded): Promise<void> {
  await underLoad({ rounds: 1, seconds: scale.seconds * 2 * CORES }, CLIENTS, [team]);
}

/** The rows of one process, and those of several where they are measured. */
async function rowsOf(
  work: Work,
  scale: Scale,
  one: Loaded,
  several: Loaded | null,
  rivals: readonly Rival[],
): Promise<readonly Row[]> {
  const { name, longer } = work;
  const ours = [one, ...(several === null ? [] : [several])];
  // PocketBase knows no neighbours: its client works out a position, which is a key.
  const theirs = rivals.map((rival) => ({ ...rival, shots: rival.shots[name === 'key' ? 'move' : name] }));
  const all = [...ours, ...theirs];
  const seen = await underLoad({ rounds: scale.rounds, seconds: scale.seconds * longer }, CLIENTS, all);
  const figures = seen.map((each, i) => ofWork(each, name === 'board' ? all[i]!.shots.length : 1));
  const best = bestOf(figures.slice(ours.length));
  const rival = best === null ? null : { name: rivals[0]!.name, ...best };
  const [alone, together] = figures;
  const rows = rowsOn(work, alone!, rival);
  return several === null ? rows : [...rows, ...rowsOn(work, together!, rival, alone)];
}

type Best = Pick<Measured, 'perSecond' | 'cpu' | 'p99'>;

/** The better figure of each kind, whichever rule of access it was reached with. */
function bestOf(figures: readonly Measured[]): Best | null {
  if (figures.length === 0) return null;
  return {
    perSecond: Math.max(...figures.map(({ perSecond }) => perSecond)),
    cpu: Math.min(...figures.map(({ cpu }) => cpu)),
    p99: Math.min(...figures.map(({ p99 }) => p99)),
  };
}

/** @param alone what one process does, where the figure is that of several */
function rowsOn(
  { name, work }: Work,
  figure: Measured,
  theirs: (Best & { readonly name: string }) | null,
  alone?: Measured,
): Row[] {
  const { Vikunja, Planka, PocketBase } = ELSEWHERE[name];
  const row = {
    name: `peers-${name}${alone === undefined ? '' : '-workers'}`,
    work: `${work}, embedded${alone === undefined ? '' : `, ${CORES} workers`}, 16 clients`,
    against: theirs === null ? 'PocketBase 0.36, measured elsewhere' : `${theirs.name}, the same run`,
  };
  const rate = judged({
    ...row,
    unit: '/s',
    figure: figure.perSecond,
    limit: theirs?.perSecond ?? PocketBase,
    target: RATE,
    beside: {
      ...(alone === undefined ? {} : { 'times one process': figure.perSecond / alone.perSecond }),
      'p99, ms': figure.p99,
      ...(theirs === null ? {} : { 'p99 of PocketBase, ms': theirs.p99 }),
      'times Vikunja 2.5': figure.perSecond / Vikunja,
      'times Planka 2.1': figure.perSecond / Planka,
    },
  });
  if (theirs === null) return [rate];
  const cpu = judged({
    ...row,
    name: `${row.name}-cpu`,
    work: `${row.work}: CPU`,
    unit: 'us',
    figure: figure.cpu,
    limit: theirs.cpu,
    target: CPU,
    beside: { 'times as much work for it': theirs.cpu / figure.cpu },
  });
  return [rate, cpu];
}

/** @param requests that one piece of work takes */
function ofWork({ perSecond, cpu, ...rest }: Measured, requests: number): Measured {
  return { ...rest, perSecond: perSecond / requests, cpu: cpu * requests };
}

/** The path of the next part of a list. */
function linkOf(answer: Response): string | null {
  const next = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
  if (next === undefined) return null;
  const { pathname, search } = new URL(next, answer.url);
  return pathname + search;
}
