import { growthAfterWarmUp } from '../figures.ts';
import type { Shot } from '../load/lua.ts';
import { load } from '../load/wrk.ts';
import type { Part } from '../part.ts';
import { judged } from '../row.ts';
import { scratch, startedService } from '../service.ts';
import { namesOf, SMALL, type Shape } from '../world/shape.ts';
import { createTask, getTasks, listBoard, listPages, moveTasks } from './requests.ts';

const CONNECTIONS = 16;
const LOOKS = 12;
const SECOND = 1000;
const MEGABYTE = 2 ** 20;

/** All kinds of work at once for a while: nothing may pile up, nobody may wait for long. */
export const soakPart: Part = {
  name: 'soak',
  async run(scale) {
    const lasting = scale.soakSeconds;
    const shape: Shape = { ...SMALL, tasks: 10_000, folders: 100 };
    const { worker, url, token } = await startedService(`file:${scratch('soak.db')}`, shape);
    try {
      await worker.call('startDelays');
      const going = load({
        url,
        connections: CONNECTIONS,
        seconds: lasting,
        shots: mixed(shape, token),
        extra: deletingWhatWasMade(token),
        folder: scratch(''),
      });
      const used: number[] = [];
      const resident: number[] = [];
      let longest = 0;
      let p99 = 0;
      for (let look = 0; look < LOOKS; look += 1) {
        await Promise.race([going, new Promise((resolve) => setTimeout(resolve, (lasting * SECOND) / LOOKS - 100))]);
        const delays = await worker.call('takeDelays');
        longest = Math.max(longest, delays.longest);
        p99 = Math.max(p99, delays.p99);
        // Looking at what is left after a collection stops the service for a moment, which is no fault of it.
        const heap = await worker.call('heap', { collected: true });
        await worker.call('takeDelays');
        used.push(heap.used);
        resident.push(heap.resident);
      }
      const seen = await going;
      if (seen.failed > 0) throw new Error(`${seen.failed} requests failed.`);
      const beside = {
        'requests/s': seen.perSecond,
        'p99, ms': seen.p99,
        'event loop p99, ms': p99,
        'its longest delay, ms': longest,
      };
      return [
        judged({
          name: 'soak-slowest',
          work: `slowest request of ${lasting} s of mixed load, embedded, ${CONNECTIONS} clients`,
          unit: 'ms',
          figure: seen.slowest,
          reach: { atMost: SECOND },
          beside,
        }),
        judged({
          name: 'soak-memory',
          work: 'growth of the heap from the middle third to the last third of it',
          unit: '%',
          figure: growthAfterWarmUp(used) * 100,
          reach: { atMost: 3 },
          beside: {
            'heap after collection, MB': used.map((each) => (each / MEGABYTE).toFixed(1)).join(' '),
            'resident, MB': resident.map((each) => (each / MEGABYTE).toFixed(0)).join(' '),
          },
        }),
      ];
    } finally {
      await worker.end();
    }
  },
};

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

/** Stands for the deletion of the task that was made longest ago. */
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
