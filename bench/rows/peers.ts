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
  { name: 'read', work: 'read a task', longer: 1, reach: 4 },
  // Of boards few are read in a second, and those that are not done at its end count for nothing.
  { name: 'board', work: 'a board of 1,000 tasks', longer: 5, reach: 3 },
  { name: 'move', work: 'move a task by neighbour, durable', longer: 1, reach: 4 },
  { name: 'key', work: 'move a task by key, durable', longer: 1, reach: 4 },
  { name: 'create', work: 'create a task, durable', longer: 1, reach: 4 },
] as const;

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
    let rival: Rival | null = null;
    let team: WorkersService | null = null;
    try {
      rival = await startedRival(SMALL);
      if (CORES > 1 && process.platform === 'linux') team = await startedWorkers(SMALL, CORES);
      const shots = await shotsTo(ours);
      const teamShots = team === null ? null : await shotsTo(team);
      const rows: Row[] = [];
      for (const work of WORK) {
        const { name } = work;
        const inWorkers = team === null ? null : { ...team, shots: teamShots![name] };
        if (inWorkers !== null) await warmUp(scale, inWorkers);
        rows.push(...(await rowsOf(work, scale, { ...ours, shots: shots[name] }, inWorkers, rival)));
      }
      return rows;
    } finally {
      await ours.worker.end();
      await rival?.end();
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
  await underLoad({ rounds: 1, seconds: scale.seconds * 3 * CORES }, CLIENTS, [team]);
}

/** The row of one process, and that of several where they are measured. */
async function rowsOf(
  work: Work,
  scale: Scale,
  one: Loaded,
  several: Loaded | null,
  rival: Rival | null,
): Promise<readonly Row[]> {
  const { name, longer } = work;
  const servers = [one, ...(several === null ? [] : [several])];
  // PocketBase knows no neighbours: its client works out a position, which is a key.
  const all = rival === null ? servers : [...servers, { ...rival, shots: rival.shots[name === 'key' ? 'move' : name] }];
  const seen = await underLoad({ rounds: scale.rounds, seconds: scale.seconds * longer }, CLIENTS, all);
  const figures = seen.map((each, i) => ofWork(each, name === 'board' ? all[i]!.shots.length : 1));
  const theirs = rival === null ? undefined : { name: rival.name, ...figures.at(-1)! };
  const [alone, together] = figures;
  const row = rowOf(work, alone!, theirs);
  return several === null ? [row] : [row, rowOf(work, together!, theirs, alone)];
}

/** @param alone what one process does, where the figure is that of several */
function rowOf(
  { name, work, reach }: Work,
  figure: Measured,
  theirs: (Measured & { readonly name: string }) | undefined,
  alone?: Measured,
): Row {
  const { Vikunja, Planka } = ELSEWHERE[name];
  return judged({
    name: `peers-${name}${alone === undefined ? '' : '-workers'}`,
    work: `${work}, embedded${alone === undefined ? '' : `, ${CORES} workers`}, 16 clients`,
    unit: '/s',
    figure: figure.perSecond,
    against: theirs === undefined ? 'PocketBase 0.36, measured elsewhere' : `${theirs.name}, the same run`,
    limit: theirs?.perSecond ?? ELSEWHERE[name].PocketBase,
    reach: { atLeast: reach },
    beside: {
      ...(alone === undefined ? {} : { 'times one process': figure.perSecond / alone.perSecond }),
      'CPU, us': figure.cpu,
      ...(theirs === undefined ? {} : { 'of PocketBase, us': theirs.cpu, 'CPU ratio': theirs.cpu / figure.cpu }),
      'p99, ms': figure.p99,
      ...(theirs === undefined ? {} : { 'p99 of PocketBase, ms': theirs.p99 }),
      'times Vikunja 2.5': figure.perSecond / Vikunja,
      'times Planka 2.1': figure.perSecond / Planka,
    },
  });
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
