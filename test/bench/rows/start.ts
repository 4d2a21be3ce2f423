import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { inRounds } from '../compare.ts';
import type { Part } from '../part.ts';
import { judged } from '../row.ts';
import { copyOf, type Seeded } from '../seeded.ts';
import { namesOf, SHARED } from '../world/shape.ts';
import { answerTo } from './requests.ts';

const COMMAND = fileURLToPath(new URL('../../../bin/espalier.js', import.meta.url));

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
    const [figure, limit] = await inRounds(scale.starts, [side('full', full), side('empty', empty)]);
    return [
      judged({
        name: 'start',
        work: `start with ${scale.startTasks} tasks to the first list of tasks, embedded`,
        unit: 'ms',
        figure: figure!.ms,
        against: 'with no tasks',
        limit: limit!.ms,
        reach: { atMost: 1.5 },
      }),
    ];
  },
};

/** Milliseconds. */
async function timeToAnswer({ path: file, token }: Seeded): Promise<number> {
  const began = performance.now();
  const args = [COMMAND, 'serve', '--store', `file:${file}`, '--port', '0', '--json', '--log-level', 'silent'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  try {
    const url = await told(child.stdout, ended);
    const path = `/api/workspace/${namesOf(SHARED).workspaceId}/task?limit=10`;
    await (await answerTo(url, { method: 'GET', path, token })).text();
    return performance.now() - began;
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}

/** The URL that the service says it listens on. */
async function told(output: NodeJS.ReadableStream, ended: Promise<unknown>): Promise<string> {
  let text = '';
  const listening = new Promise<string>((resolve) => {
    output.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const url = /"url": ?"([^"]+)"/.exec(text)?.[1];
      if (url !== undefined) resolve(url);
    });
  });
  const gone = ended.then(() => {
    throw new Error('The service ended before it listened.');
  });
  return Promise.race([listening, gone]);
}
