import { quantile } from '../figures.ts';
import type { Shot } from '../load/lua.ts';
import { expectDone, pause, send } from '../load/send.ts';
import type { Part } from '../part.ts';
import { type Fork, forkWorker } from '../process/fork.ts';
import { judged, type Row } from '../row.ts';
import type { Scale } from '../scale.ts';
import { serviceOn, type StoreName } from '../stores.ts';
import type { ClientCommands, Requests, Waits } from '../workers/client.ts';
import { namesOf, SHARED, type Shape, SMALL } from '../world/shape.ts';
import { createTask } from './requests.ts';
import { BATCH, type Work, WORK, type World, type WorldName } from './waits-work.ts';

/** By how much the waits of other requests may grow, in ms. */
const LONGER = { read: 50, write: 150 } as const;
const BEFORE = 1_000;
const DEEP = 5_000;
/** The workspace of other requests while another workspace is worked on. */
const OTHERS: Shape = { ...SMALL, world: 9 };

/** The waits of other requests while large requests are answered, on a workspace of 100,000 tasks. */
export function waitsPart(store: StoreName): Part {
  return {
    name: `waits-${store.toLowerCase()}`,
    async run(scale) {
      const shapes = shapesOf(scale);
      const rows: Row[] = [];
      for (const on of Object.keys(shapes) as WorldName[]) rows.push(...(await waitsOn(on, shapes, store, scale)));
      return rows;
    },
  };
}

function shapesOf(scale: Scale): Readonly<Record<WorldName, Shape>> {
  const { tasks } = scale.cascade;
  const few = Math.min(BATCH, tasks);
  return {
    tasks: { ...SHARED, world: 5, tasks },
    pages: { ...SHARED, world: 6, tasks: few, folders: tasks, depth: 8 },
    alike: { ...SMALL, world: 7, tasks, assignees: 1, spread: 'columns', tagged: true },
    deep: { ...SMALL, world: 8, tasks: few, folders: tasks, depth: Math.min(DEEP, tasks) },
  };
}

/** The work on one workspace, in a service that has only that one and the one of the others. */
async function waitsOn(
  on: WorldName,
  shapes: Readonly<Record<WorldName, Shape>>,
  store: StoreName,
  scale: Scale,
): Promise<readonly Row[]> {
  const worker = await serviceOn(store);
  if (worker === null) return [];
  const client = forkWorker<ClientCommands>('../workers/client.js', import.meta.url);
  try {
    const worldOf = async (of: Shape): Promise<World> => {
      const token = await worker.call('seed', of);
      return { shape: of, token, workspace: `/api/workspace/${namesOf(of).workspaceId}` };
    };
    await worker.call('liftDepth');
    const world = await worldOf(shapes[on]);
    const others = on === 'tasks' ? world : await worldOf(OTHERS);
    const url = await worker.call('listen');
    const rows: Row[] = [];
    for (const work of WORK.filter((one) => (one.on ?? 'tasks') === on))
      rows.push(...(await measure(client, url, { world, others }, work, store, scale.name === 'smoke')));
    return rows;
  } finally {
    await client.end();
    await worker.end();
  }
}

async function measure(
  client: Client,
  url: string,
  workspaces: { readonly world: World; readonly others: World },
  work: Work,
  store: StoreName,
  brief: boolean,
): Promise<Row[]> {
  const { world } = workspaces;
  const done = work.refused === true ? expectRefused : expectDone;
  for (const shot of work.before?.(world) ?? []) await done(url, shot);
  const { workspace, token, shape } = workspaces.others;
  const others = {
    read: { method: 'GET', path: `${workspace}/task/${namesOf(shape).task(1)}`, token } as Shot,
    write: createTask(shape, token)[0]!,
  };
  const usual = await waitsDuring(client, { url, others }, () => pause(brief ? 100 : BEFORE));
  const began = performance.now();
  let took = 0;
  const during = await waitsDuring(client, { url, others }, async () => {
    await Promise.all(work.shots(world).map((shot) => done(url, shot)));
    took = performance.now() - began;
  });
  // The duration of the commit that was running, if writes wait for it.
  const commitOf = (kind: 'read' | 'write') =>
    kind === 'write' && store === 'embedded' && work.commit === true ? took : 0;
  return (['read', 'write'] as const).map((kind) =>
    judged({
      name: `waits-${work.name}-${kind}-${store.toLowerCase()}`,
      work: `longest wait of another's ${kind} above the usual${commitOf(kind) > 0 ? ' and that commit' : ''} while ${work.work}, ${store}`,
      unit: 'ms',
      figure: Math.max(0, Math.max(...during[kind]) - quantile(usual[kind], 0.5) - commitOf(kind)),
      target: { atMost: LONGER[kind] },
      beside: {
        'usual wait, ms': quantile(usual[kind], 0.5),
        'longest wait before, ms': Math.max(...usual[kind]),
        'longest wait, ms': Math.max(...during[kind]),
        'until the answer, ms': took,
      },
    }),
  );
}

type Client = Fork<ClientCommands>;

/** How long the requests of the others took while the work is done. */
async function waitsDuring(client: Client, requests: Requests, work: () => Promise<void>): Promise<Waits> {
  await client.call('begin', requests);
  try {
    await work();
  } finally {
    await client.call('stop');
  }
  return client.call('waits');
}

const INVALID = 400;

async function expectRefused(url: string, shot: Shot): Promise<void> {
  const { status } = await send(url, shot);
  if (status !== INVALID) throw new Error(`${shot.path} was answered ${status}.`);
}
