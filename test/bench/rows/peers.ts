import { medians } from '../figures.ts';
import type { Part } from '../part.ts';
import { judged, type Row } from '../row.ts';
import { measured, scratch, startedService } from '../service.ts';
import { SMALL } from '../world/shape.ts';
import { answerTo, createTask, getTasks, listBoard, moveTasks } from './requests.ts';
import type { Shot } from '../load/lua.ts';

const CLIENTS = 16;

/**
 * Requests per second that others reach at the same work from 16 clients, on the same kind of machine of two
 * cores. They are not measured here.
 */
const PEERS = {
  read: { PocketBase: 3_670, Vikunja: 700, Planka: 100 },
  board: { PocketBase: 119, Vikunja: 48, Planka: 15 },
  create: { PocketBase: 2_290, Vikunja: 190, Planka: 50 },
  move: { PocketBase: 2_270, Vikunja: 190, Planka: 50 },
} as const;

interface Peered {
  readonly name: keyof typeof PEERS;
  readonly work: string;
  readonly shots: readonly Shot[];
  /** Requests to one piece of work. */
  readonly requests: number;
  readonly reach: number;
}

/** The embedded store from 16 clients, beside what others do. */
export const peersPart: Part = {
  name: 'peers',
  async run(scale) {
    const { worker, url, token } = await startedService(`file:${scratch('peers.db')}`, SMALL);
    try {
      const first = listBoard(SMALL, token);
      const next = linkOf(await answerTo(url, first));
      const board = next === null ? [first] : [first, { ...first, path: next }];
      const work: Peered[] = [
        { name: 'read', work: 'read a task', shots: getTasks(SMALL, token), requests: 1, reach: 4 },
        { name: 'board', work: 'a board of 1,000 tasks', shots: board, requests: board.length, reach: 3 },
        { name: 'move', work: 'move a task, durable', shots: moveTasks(SMALL, token), requests: 1, reach: 4 },
        { name: 'create', work: 'create a task, durable', shots: createTask(SMALL, token), requests: 1, reach: 4 },
      ];
      const rows: Row[] = [];
      for (const { name, work: what, shots, requests, reach } of work) {
        const load = { url, shots, connections: CLIENTS, seconds: scale.seconds, folder: scratch('') };
        const rounds = [];
        for (let round = 0; round <= scale.rounds; round += 1) rounds.push(await measured(worker, load));
        const failed = rounds.reduce((sum, each) => sum + each.failed, 0);
        if (failed > 0) throw new Error(`${failed} requests failed.`);
        const { perSecond, cpu, p99 } = medians(rounds.slice(1));
        const { PocketBase, Vikunja, Planka } = PEERS[name];
        rows.push(
          judged({
            name: `peers-${name}`,
            work: `${what}, embedded, 16 clients`,
            unit: '/s',
            figure: perSecond / requests,
            against: 'PocketBase 0.36, measured elsewhere',
            limit: PocketBase,
            reach: { atLeast: reach },
            beside: {
              'CPU, us': cpu * requests,
              'p99, ms': p99,
              'times Vikunja 2.5': perSecond / requests / Vikunja,
              'times Planka 2.1': perSecond / requests / Planka,
            },
          }),
        );
      }
      return rows;
    } finally {
      await worker.end();
    }
  },
};

/** The path of the next part of a list. */
function linkOf(answer: Response): string | null {
  const next = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
  if (next === undefined) return null;
  const { pathname, search } = new URL(next, answer.url);
  return pathname + search;
}
