import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { inRounds } from '../compare.ts';
import type { Part } from '../part.ts';
import { serving } from '../process/serve.ts';
import { judged } from '../row.ts';
import { copyOf, type Seeded } from '../seeded.ts';
import { namesOf, SHARED } from '../world/shape.ts';
import { answerTo } from './requests.ts';

/** From the start of the command to its first answer. */
export const startPart: Part = {
  name: 'start',
  async run(scale) {
    const full = await copyOf({ ...SHARED, tasks: scale.startTasks });
    const empty = await copyOf({ ...SHARED, tasks: 0 });
    const side = (name: string, store: Seeded) => ({
      name,
      measure: async () => ({ ms: await timeToAnswer(store) }),
    });
    const bare = { name: 'node', measure: async () => ({ ms: await bareStart() }) };
    const sides = [side('full', full), side('empty', empty), bare];
    const [figure, limit, node] = await inRounds(scale.starts, sides);
    return [
      judged({
        name: 'start',
        work: `start with ${scale.startTasks} tasks to the first list of tasks, embedded`,
        unit: 'ms',
        figure: figure!.ms,
        against: 'with no tasks',
        limit: limit!.ms,
        target: { atMost: 1.5 },
      }),
      judged({
        name: 'start-beside-node',
        work: `start with ${scale.startTasks} tasks to the first list of tasks, embedded`,
        unit: 'ms',
        figure: figure!.ms,
        against: 'a bare start of Node',
        limit: node!.ms,
        target: { atMost: 5 },
      }),
    ];
  },
};

/** Milliseconds from the start of Node to its end, with nothing to do. */
async function bareStart(): Promise<number> {
  const began = performance.now();
  await once(spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }), 'exit');
  return performance.now() - began;
}

/** Milliseconds. */
async function timeToAnswer({ path: file, token }: Seeded): Promise<number> {
  const began = performance.now();
  const service = await serving('--store', `file:${file}`);
  try {
    const path = `/api/workspace/${namesOf(SHARED).workspaceId}/task?limit=10`;
    await (await answerTo(service.url, { method: 'GET', path, token })).text();
    return performance.now() - began;
  } finally {
    await service.end();
  }
}
