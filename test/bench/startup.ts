import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createEspalier, openStore } from '../../adapters/container/index.ts';
import { inRounds } from './compare.ts';

/** A command against a bare start of Node, both in milliseconds, medians of the same rounds. */
export interface StartupRow {
  readonly work: string;
  readonly figure: number;
  readonly limit: number;
  /** Figure by limit. */
  readonly ratio: number;
  /** The ratio is to be at most this. */
  readonly reach: number;
}

export interface StartupOptions {
  /** Default 41. */
  readonly rounds?: number;
  /** How many tasks the store of the lookup holds. Default 100,000. */
  readonly tasks?: number;
}

/** The built program, seen from `dist/test/bench`. */
const MAIN = fileURLToPath(new URL('../../bin/espalier.js', import.meta.url));

/** How long the program takes to start, as people start it. */
export async function startup({ rounds = 41, tasks = 100_000 }: StartupOptions = {}): Promise<StartupRow[]> {
  const path = await mkdtemp(join(tmpdir(), 'espalier-startup-'));
  try {
    const taskId = await fill(path, tasks);
    const env = {
      PATH: process.env['PATH'],
      XDG_CONFIG_HOME: path,
      ESPALIER_STORE: `file:${join(path, 'here.db')}`,
      ESPALIER_AS: 'ada@example.org',
      ESPALIER_WORKSPACE: 'acme',
    };
    const works = [
      { work: 'espalier --version', reach: 2, args: [MAIN, '--version'] },
      {
        work: `espalier task show "#${tasks / 2}" of ${tasks}`,
        reach: 4,
        args: [MAIN, 'task', 'show', `#${tasks / 2}`],
      },
      { work: `espalier task show ID --json of ${tasks}`, reach: 4, args: [MAIN, 'task', 'show', taskId, '--json'] },
    ];
    const sides = [['-e', '0'], ...works.map(({ args }) => args)].map((args) => ({
      name: args.join(' '),
      measure: async () => ({ ms: timed(args, env) }),
    }));
    const [bare, ...figures] = (await inRounds(rounds, sides)).map(({ ms }) => ms);
    return works.map(({ work, reach }, i) => {
      const figure = figures[i]!;
      return { work, figure, limit: bare!, ratio: figure / bare!, reach };
    });
  } finally {
    await rm(path, { recursive: true, force: true });
  }
}

function timed(args: readonly string[], env: NodeJS.ProcessEnv): number {
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}: ${stderr}`);
  return performance.now() - start;
}

/** @returns the id of a task */
async function fill(path: string, tasks: number): Promise<string> {
  const espalier = createEspalier({ store: await openStore(`file:${join(path, 'here.db')}`) });
  try {
    const ada = espalier.as(await espalier.users.create({ name: 'Ada', email: 'ada@example.org' }));
    const { id: workspaceId } = await ada.workspaces.create({ name: 'Acme' });
    const { id: boardId } = await ada.boards.create({ workspaceId, name: 'Dev' });
    await ada.statuses.create({ workspaceId, boardId, name: 'Todo' });
    let id = '';
    for (let first = 1; first <= tasks; first += 1_000) {
      const size = Math.min(1_000, tasks - first + 1);
      const drafts = Array.from({ length: size }, (_, i) => ({ boardId, title: `Task ${first + i}` }));
      const made = await ada.tasks.createMany({ workspaceId, tasks: drafts });
      id = made[0]!.id;
    }
    return id;
  } finally {
    await espalier.close();
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const rounds = Number(process.argv[2] ?? 41);
  for (const { work, figure, limit, ratio, reach } of await startup({ rounds })) {
    const verdict = ratio <= reach ? 'met' : 'NOT met';
    console.log(
      `${work.padEnd(44)} ${figure.toFixed(0).padStart(5)} ms  node -e 0 ${limit.toFixed(0).padStart(4)} ms  ` +
        `${ratio.toFixed(2)} x, at most ${reach} x: ${verdict}`,
    );
  }
}
