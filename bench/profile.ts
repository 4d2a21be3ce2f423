import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Shot } from './load/lua.ts';
import { hottest, sharesOf, type Share, type Spot } from './report/groups.ts';
import { createTask, getTasks, listBoard, listPages, moveTasks } from './rows/requests.ts';
import { measured, scratch, startedService } from './service.ts';
import { SMALL, type Shape } from './world/shape.ts';

const SHAPE: Shape = { ...SMALL, folders: 500, entries: 100, depth: 8 };

/** The times of the parts of one kind of request. */
export interface Profiled {
  readonly request: string;
  /** The CPU time of the service while it is not sampled, in microseconds. */
  readonly cpu: number;
  readonly shares: readonly Share[];
  readonly hottest: readonly Spot[];
}

const REQUESTS: Readonly<Record<string, (token: string) => readonly Shot[]>> = {
  'GET a task': (token) => getTasks(SHAPE, token),
  'GET 500 tasks': (token) => [listBoard(SHAPE, token)],
  'GET 500 pages': (token) => [listPages(SHAPE, token)],
  'POST a task': (token) => createTask(SHAPE, token),
  'PUT a move': (token) => moveTasks(SHAPE, token),
};

const CONNECTIONS = 16;
const HOT = 25;

export interface ProfileOptions {
  /** The URL of the store, as for `openStore`. */
  readonly store: string;
  readonly seconds: number;
  /** The folder for the profiles, which the developer tools of a browser can show. */
  readonly folder: string | null;
}

/** Profiles the service under load, one kind of request after another. */
export async function profiles({ store, seconds, folder }: ProfileOptions): Promise<Profiled[]> {
  const { worker, url, token } = await startedService(store, SHAPE);
  const found: Profiled[] = [];
  try {
    for (const [request, shotsOf] of Object.entries(REQUESTS)) {
      const load = { url, shots: shotsOf(token), connections: CONNECTIONS, folder: scratch('') };
      await measured(worker, { ...load, seconds: 1 });
      const { cpu } = await measured(worker, { ...load, seconds });
      await worker.call('startProfile');
      await measured(worker, { ...load, seconds });
      const profile = await worker.call('stopProfile');
      found.push({ request, cpu, shares: sharesOf(profile), hottest: hottest(profile, HOT) });
      if (folder === null) continue;
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, `${request.replaceAll(' ', '-').toLowerCase()}.cpuprofile`), JSON.stringify(profile));
    }
  } finally {
    await worker.end();
  }
  return found;
}
