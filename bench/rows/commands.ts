import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { inRounds } from '../compare.ts';
import type { Part } from '../part.ts';
import { judged } from '../row.ts';
import { copyOf } from '../seeded.ts';
import { scratch } from '../service.ts';
import { CALLER, emailOf, namesOf, SHARED } from '../world/shape.ts';

/** The built program, seen from `dist/bench/rows`. */
const COMMAND = fileURLToPath(new URL('../../bin/espalier.js', import.meta.url));

/** How long commands take from start to end, as people start them. */
export const commandsPart: Part = {
  name: 'commands',
  async run(scale) {
    const shape = { ...SHARED, tasks: scale.startTasks };
    const { path } = await copyOf(shape);
    const { workspaceId, task } = namesOf(shape);
    const env = {
      PATH: process.env['PATH'],
      XDG_CONFIG_HOME: scratch('config'),
      // Where the first run leaves what V8 has compiled.
      XDG_CACHE_HOME: scratch('cache'),
      ESPALIER_STORE: `file:${path}`,
      ESPALIER_AS: emailOf(shape.world, CALLER),
      ESPALIER_WORKSPACE: workspaceId,
    };
    const middle = Math.floor(shape.tasks / 2);
    const works = [
      { work: 'espalier --version', target: 2, args: ['--version'] },
      { work: `espalier task show "#${middle}" of ${shape.tasks}`, target: 4, args: ['task', 'show', `#${middle}`] },
      {
        work: `espalier task show ID --json of ${shape.tasks}`,
        target: 4,
        args: ['task', 'show', task(middle), '--json'],
      },
    ];
    const sides = [['-e', '0'], ...works.map(({ args }) => [COMMAND, ...args])].map((args) => ({
      name: args.join(' '),
      measure: async () => ({ ms: timed(args, env) }),
    }));
    const [bare, ...figures] = (await inRounds(scale.commands, sides)).map(({ ms }) => ms);
    return works.map(({ work, target }, i) =>
      judged({
        name: `command-${i}`,
        work,
        unit: 'ms',
        figure: figures[i]!,
        against: 'a bare start of Node',
        limit: bare!,
        target: { atMost: target },
      }),
    );
  },
};

/** Milliseconds. */
function timed(args: readonly string[], env: NodeJS.ProcessEnv): number {
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}: ${stderr}`);
  return performance.now() - start;
}
