import { growthOfLows, quantile } from '../figures.ts';
import type { Shot } from '../load/lua.ts';
import { paced, type Kind, type Paced, type PacedShot } from '../load/paced.ts';
import { expectDone, pause } from '../load/send.ts';
import { load } from '../load/wrk.ts';
import type { Part } from '../part.ts';
import type { Heap } from '../process/heap.ts';
import { judged, type Row } from '../row.ts';
import { scratch, startedService, type Service } from '../service.ts';
import { namesOf, SMALL, type Shape } from '../world/shape.ts';
import { createTask, getTasks, listBoard, listPages, moveTasks } from './requests.ts';

const CLIENTS = 32;
/** The number of readings of the heap from which growth is computed. */
const FEWEST_LOOKS = 3;
/** The number of parts of the run for which the lowest heap is reported. */
const PARTS = 12;
const SECOND = 1000;
const MEGABYTE = 2 ** 20;
/** For how long the capacity is measured. In seconds. */
const CAPACITY = 10;
/** Between two workspaces that are imported while others work. In seconds. */
const IMPORT_EVERY = 10;
/** After this many other requests comes an audit of who may do what. */
const AUDIT_EVERY = 1_000;

/** How many of the tasks that are made are there at a time, so that none is deleted while it is commented on. */
const KEPT = 1_000;
/**
 * How much of the change log is kept: few enough that the oldest changes are removed from the first minutes on, and the store
 * stays as large as it is. The default is reached after half an hour, and is a step in what is kept in memory.
 */
const KEPT_CHANGES = 20_000;
const MAX_TASKS = 10_000;
const IMPORTED: Shape = { ...SMALL, world: 1_000 };

/**
 * All kinds of work at once for a while, at half of what the service can do: memory must not grow, and no request may
 * wait for long.
 */
export const soakPart: Part = {
  name: 'soak',
  async run(scale) {
    const seconds = scale.soakSeconds;
    const shape: Shape = { ...SMALL, tasks: Math.min(MAX_TASKS, scale.memoryTasks), folders: 100 };
    const { worker, url, token } = await startedService(`file:${scratch('soak.db')}`, shape, {
      keepChanges: KEPT_CHANGES,
    });
    try {
      const shots = mixed(shape, token);
      const most = await load({
        url,
        connections: CLIENTS,
        seconds: Math.min(CAPACITY, seconds),
        shots,
        extra: deletingWhatWasMade(token),
        folder: scratch(''),
      });
      if (most.failed > 0) throw new Error(`${most.failed} requests failed.`);
      const audit: PacedShot = {
        kind: 'large',
        method: 'GET',
        path: `/api/workspace/${namesOf(shape).workspaceId}/access/audit`,
        token: await worker.call('ownerToken', shape),
      };
      const next = nextOf(shots, audit, token);
      const half = most.perSecond / 2;
      await worker.call('startHeaps');
      const going = paced({ url, clients: CLIENTS, perSecond: half, seconds, next });
      const [imports] = await Promise.all([importing(worker, url, seconds), going.ended]);
      const heaps = [...(await worker.call('stopHeaps'))];
      // In a run of seconds V8 has collected too rarely.
      while (heaps.length < FEWEST_LOOKS) heaps.push(await worker.call('heap', { collected: true }));
      return rowsOf(seconds, half, going, heaps, imports);
    } finally {
      await worker.end();
    }
  },
};

/** Imports workspaces with pauses, and deletes the one before, so that the store stays as large as it is. @returns how many */
async function importing(worker: Service, url: string, seconds: number): Promise<number> {
  const end = performance.now() + seconds * SECOND;
  const every = Math.min(IMPORT_EVERY, seconds / 2) * SECOND;
  let count = 0;
  for (; performance.now() + every < end; count += 1) {
    await pause(every);
    await worker.call('seed', imported(count));
    if (count === 0) continue;
    const before = imported(count - 1);
    const path = `/api/workspace/${namesOf(before).workspaceId}`;
    await expectDone(url, { method: 'DELETE', path, token: await worker.call('ownerToken', before) });
  }
  return count;
}

function imported(n: number): Shape {
  return { ...IMPORTED, world: IMPORTED.world + n };
}

function rowsOf(seconds: number, half: number, { took }: Paced, heaps: readonly Heap[], imports: number): Row[] {
  const about = `${seconds} s of mixed load, embedded, ${CLIENTS} clients at half of the capacity`;
  const p99 = (kind: Kind, atMost: number): Row =>
    judged({
      name: `soak-${kind}s`,
      work: `p99 of ${kind}s in ${about}`,
      unit: 'ms',
      figure: quantile(took[kind], 0.99),
      target: { atMost },
      beside: { 'median, ms': quantile(took[kind], 0.5), requests: took[kind].length },
    });
  return [
    p99('read', 20),
    p99('write', 60),
    judged({
      name: 'soak-slowest',
      work: `slowest read or write of single records or of one page of a list in ${about}`,
      unit: 'ms',
      figure: Math.max(longest(took.read), longest(took.write)),
      target: { atMost: 500 },
      beside: {
        'requests/s': half,
        'audits and lists of all pages': took.large.length,
        'slowest of those, ms': longest(took.large),
        'workspaces imported': imports,
      },
    }),
    judged({
      name: 'soak-memory',
      work: 'growth of the heap from the middle third to the last third of it, each at its lowest',
      unit: '%',
      figure: growthOfLows(heaps.map(({ used }) => used)) * 100,
      ...(seconds >= STEADY && { target: { atMost: 3 } }),
      beside: {
        'full collections': heaps.length,
        'heap after collection, MB': lows(heaps.map(({ used }) => used)),
        'resident, MB': lows(heaps.map(({ resident }) => resident)),
      },
    }),
  ];
}

/** Seconds after which caches have grown to their bounds: a shorter run reports the growth without judging it. */
const STEADY = 600;

/** The lowest of each part of a series, in MB. */
function lows(series: readonly number[]): string {
  const parts = Math.min(PARTS, series.length);
  const part = (n: number) => Math.floor((n * series.length) / parts);
  const each = Array.from({ length: parts }, (_, n) => Math.min(...series.slice(part(n), part(n + 1))));
  return each.map((low) => (low / MEGABYTE).toFixed(0)).join(' ');
}

function longest(values: readonly number[]): number {
  return values.reduce((most, value) => Math.max(most, value), 0);
}

/**
 * The shots round and round. The task that was made last is commented on, and the one that was made longest ago deleted
 * with its comments, so that the work of a request stays the same.
 */
function nextOf(shots: readonly Shot[], audit: PacedShot, token: string): () => PacedShot {
  const made: string[] = [];
  let sent = 0;
  return () => {
    sent += 1;
    if (sent % AUDIT_EVERY === 0) return audit;
    const shot = shots[sent % shots.length]!;
    if (shot !== DELETE) {
      if (shot.method === 'GET') return { ...shot, kind: shot.path.endsWith('/page') ? 'large' : 'read' };
      const isCreate = shot.method === 'POST' && shot.path.endsWith('/task');
      if (isCreate) return { ...shot, kind: 'write', made: (path) => void made.push(path) };
      const last = shot.path.endsWith('/comment') ? made.at(-1) : undefined;
      return { ...shot, kind: 'write', ...(last !== undefined && { path: `${last}/comment` }) };
    }
    const path = made.length > KEPT ? made.shift() : undefined;
    return path === undefined ? { ...shots[0]!, kind: 'read' } : { method: 'DELETE', path, token, kind: 'write' };
  };
}

/** Mostly reading. */
function mixed(shape: Shape, token: string): Shot[] {
  const { workspaceId, board, task } = namesOf(shape);
  const own = `/api/workspace/${workspaceId}`;
  const gets = getTasks(shape, token);
  const moves = moveTasks(shape, token);
  const [create] = createTask(shape, token);
  return gets.flatMap((get, i): Shot[] => [
    get,
    gets[(i * 7) % gets.length]!,
    gets[(i * 13) % gets.length]!,
    { ...get, path: `${own}/task?boardId=${board(i % shape.boards)}&sort=position&limit=50` },
    moves[i]!,
    { ...get, path: `${own}/board/${board(i % shape.boards)}` },
    create!,
    { method: 'POST', path: `${own}/task/${task(i)}/comment`, token, body: { content: 'Looks good, go on.' } },
    { ...get, path: `${own}/task?assigneeId=me&limit=20` },
    DELETE,
    ...(i % 10 === 0 ? [listPages(shape, token), listBoard(shape, token)] : []),
  ]);
}

/** A placeholder for the deletion of the oldest task. */
const DELETE: Shot = { method: 'DELETE', path: '/api/healthz' };

function deletingWhatWasMade(token: string): string {
  return `
local made, first, last = {}, 1, 0
local plain = request

function request()
  local next = plain()
  if shots[at][1] ~= "DELETE" then return next end
  if last < first then return ready[1] end
  local path = made[first]
  made[first] = nil
  first = first + 1
  return wrk.format("DELETE", path, {["authorization"]="Bearer ${token}"})
end

function response(status, headers, body)
  local place = headers["location"] or headers["Location"]
  -- That of a comment names its task, which stays.
  if status == 201 and place and body:find('"num":', 1, true) then
    last = last + 1
    made[last] = place:gsub("^https?://[^/]+", "")
  end
end
`;
}
