import type { Shot } from '../load/lua.ts';
import type { Part } from '../part.ts';
import { startedRival, type Rival } from '../rival/rival.ts';
import { judged, type Row } from '../row.ts';
import type { Scale } from '../scale.ts';
import { scratch, startedService, type Listening, type Measured } from '../service.ts';
import { SMALL } from '../world/shape.ts';
import { answerTo, createTask, getTasks, listBoard, moveTasks } from './requests.ts';
import { underLoad, type Loaded } from './versus.ts';

const CLIENTS = 16;

/** What is measured, in this order: from the first create on the board is longer. */
const WORK = [
  { name: 'read', work: 'read a task', longer: 1, reach: 4 },
  // Of boards few are read in a second, and those that are not done at its end count for nothing.
  { name: 'board', work: 'a board of 1,000 tasks', longer: 5, reach: 3 },
  { name: 'move', work: 'move a task, durable', longer: 1, reach: 4 },
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
};

/** The embedded store from 16 clients, beside what others do. */
export const peersPart: Part = {
  name: 'peers',
  async run(scale) {
    const ours = await startedService(`file:${scratch('peers.db')}`, SMALL);
    let rival: Rival | null = null;
    try {
      rival = await startedRival(SMALL);
      const shots = await shotsTo(ours);
      const rows: Row[] = [];
      for (const work of WORK) rows.push(await rowOf(work, scale, { ...ours, shots: shots[work.name] }, rival));
      return rows;
    } finally {
      await ours.worker.end();
      await rival?.end();
    }
  },
};

/** One shot for each request that a piece of work takes, or any number of shots that are one each. */
async function shotsTo({ url, token }: Listening): Promise<Record<Name, readonly Shot[]>> {
  const first = listBoard(SMALL, token);
  const next = linkOf(await answerTo(url, first));
  return {
    read: getTasks(SMALL, token),
    board: next === null ? [first] : [first, { ...first, path: next }],
    move: moveTasks(SMALL, token),
    create: createTask(SMALL, token),
  };
}

async function rowOf(
  { name, work, longer, reach }: Work,
  scale: Scale,
  ours: Loaded,
  rival: Rival | null,
): Promise<Row> {
  const { Vikunja, Planka } = ELSEWHERE[name];
  const servers = rival === null ? [ours] : [ours, { ...rival, shots: rival.shots[name] }];
  const seconds = scale.seconds * longer;
  const seen = await underLoad({ rounds: scale.rounds, seconds }, CLIENTS, servers);
  const [figure, theirs] = seen.map((each, i) => ofWork(each, name === 'board' ? servers[i]!.shots.length : 1));
  return judged({
    name: `peers-${name}`,
    work: `${work}, embedded, 16 clients`,
    unit: '/s',
    figure: figure!.perSecond,
    against: rival === null ? 'PocketBase 0.36, measured elsewhere' : `${rival.name}, the same run`,
    limit: theirs?.perSecond ?? ELSEWHERE[name].PocketBase,
    reach: { atLeast: reach },
    beside: {
      'CPU, us': figure!.cpu,
      ...(theirs === undefined ? {} : { 'of PocketBase, us': theirs.cpu, 'CPU ratio': theirs.cpu / figure!.cpu }),
      'p99, ms': figure!.p99,
      ...(theirs === undefined ? {} : { 'p99 of PocketBase, ms': theirs.p99 }),
      'times Vikunja 2.5': figure!.perSecond / Vikunja,
      'times Planka 2.1': figure!.perSecond / Planka,
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
