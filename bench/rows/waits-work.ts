import type { Shot } from '../load/lua.ts';
import { CALLER, namesOf, type Shape, STATUSES } from '../world/shape.ts';

export interface World {
  readonly shape: Shape;
  readonly token: string;
  readonly workspace: string;
}

/** A request that has much to do. To measure another, add a row to `WORK`. */
export interface Work {
  /** Letters and dashes. */
  readonly name: string;
  readonly work: string;
  /** Sent one after the other, before anything is measured. */
  readonly before?: (world: World) => Iterable<Shot>;
  /** Sent together. */
  readonly shots: (world: World) => readonly Shot[];
  /** The workspace that is worked on, where the others work too if it is `tasks`. Default `tasks`. */
  readonly on?: WorldName;
  /** Whether the requests are refused. */
  readonly refused?: true;
  /** Whether all of it is one transaction: on the embedded store a write waits for the commit that is running. */
  readonly commit?: true;
}

/** `alike`: all tasks in one status, with one tag, for one member. `deep`: pages 5,000 below each other. */
export type WorldName = 'tasks' | 'pages' | 'alike' | 'deep';

/** Where tasks stand close together, far from the others of their status. */
const CROWD = 2 ** 40;
const crowdIn = ({ shape }: World) => Math.min(20_000, shape.tasks);
/** Tasks in a batch. */
export const BATCH = 1_000;
/** Runs of adjacent keys as long as they may be, one free key between them. */
const keyAt = (n: number) => CROWD + n + Math.floor(n / 256);

/** Bodies of about a mebibyte each. */
const HOSTILE: readonly object[] = [
  { tasks: Array.from({ length: 500_000 }, () => 1) },
  { tasks: Array.from({ length: 300_000 }, () => ({})) },
  { tasks: [Object.fromEntries(Array.from({ length: 60_000 }, (_, n) => [`k${n}`, n]))] },
];

export const WORK: readonly Work[] = [
  {
    name: 'place-adjacent',
    work: 'tasks are placed at keys among 20,000 that stand as close as they may',
    *before(world) {
      for (let first = 0; first < crowdIn(world); first += BATCH) {
        yield batch(world, (n) => ({ statusOrderKey: keyAt(first + n) }));
      }
    },
    shots: (world) =>
      [0, 1, crowdIn(world) / 4, crowdIn(world) / 2, crowdIn(world) / 2].map((n) =>
        post(world, '/task', { ...onBoard(world), title: 'placed', statusOrderKey: keyAt(n) }),
      ),
  },
  {
    name: 'batch-one-key',
    work: 'a batch of 1,000 tasks is created at one key',
    shots: (world) => [batch(world, () => ({ statusOrderKey: 1_024 }))],
    commit: true,
  },
  {
    name: 'lists-excluding',
    work: 'eight lists with five exclusions of 40 ids, four sort keys and count are asked for',
    shots: (world) => gets(world, 8, `/task?${exclusions()}&count=true&sort=priority,title,-dateEnd,createdAt`),
  },
  {
    name: 'lists-searching',
    work: 'eight lists of the tasks changed last search for a text that is nowhere',
    shots: (world) => gets(world, 8, '/task?q=nowhere&sort=-updatedAt'),
  },
  {
    name: 'page-lists',
    work: 'four lists of all pages and four of tasks are asked for on a tree that changes meanwhile',
    shots: (world) => [
      newPage(world),
      ...gets(world, 4, '/page'),
      newPage(world),
      ...gets(world, 4, '/task?count=true'),
    ],
    on: 'pages',
  },
  {
    name: 'batch-text',
    work: 'a batch of 1,000 tasks in a mebibyte of JSON is created',
    shots: (world) => [batch(world, () => ({ description: 'x'.repeat(750) }))],
    commit: true,
  },
  {
    name: 'bodies-refused',
    work: 'twelve mebibytes of JSON in shapes that take long to parse are sent',
    before: (world) => hostile(world),
    shots: (world) => [0, 1, 2, 3].flatMap(() => hostile(world)),
    refused: true,
  },
  {
    name: 'page-restore',
    work: 'a page with 100,000 others below it is restored from the trash',
    before: (world) => [remove(world, `/page/${firstFolder(world)}`)],
    shots: (world) => [post(world, `/trash/${firstFolder(world)}/restore`, {})],
    on: 'pages',
  },
  {
    name: 'page-removal',
    work: 'a page with 100,000 others below it is deleted',
    shots: (world) => [remove(world, `/page/${firstFolder(world)}`)],
    on: 'pages',
  },
  {
    name: 'explain-deep',
    work: 'eight explanations of the access to a page 5,000 deep are asked for by a member',
    shots: (world) => gets(world, 8, `/page/${deepest(world)}/access/explain`),
    on: 'deep',
  },
  {
    name: 'batch-deep',
    work: 'a batch of 1,000 tasks with assignees is created on a board 5,000 deep',
    shots: (world) => [batch(world, () => ({ assignees: [0, CALLER].map(namesOf(world.shape).member) }))],
    on: 'deep',
    commit: true,
  },
  {
    name: 'batch-update',
    work: '1,000 tasks are changed and put at the end of their statuses in one call',
    shots: (world) => [
      post(world, '/task/batch/update', {
        taskIds: Array.from({ length: Math.min(BATCH, world.shape.tasks) }, (_, n) => namesOf(world.shape).task(n)),
        set: { priority: 500, beforeTaskId: null },
      }),
    ],
    commit: true,
  },
  {
    name: 'batch-delete',
    work: '1,000 tasks are put in the trash in one call',
    shots: (world) => [
      post(world, '/task/batch/delete', {
        taskIds: Array.from({ length: Math.min(BATCH, world.shape.tasks / 2) }, (_, n) =>
          namesOf(world.shape).task(world.shape.tasks - 1 - n),
        ),
      }),
    ],
    commit: true,
  },
  {
    name: 'board-copy',
    work: 'a board is copied with its tasks, for up to two seconds',
    shots: (world) => [
      post(world, `/board/${namesOf(world.shape).board(0)}/copy`, { name: 'copy', tasks: true, comments: true }),
    ],
  },
  {
    name: 'tag-removal',
    work: 'a tag is deleted that 100,000 tasks have',
    shots: (world) => [remove(world, ofBoard(world, `tag/${namesOf(world.shape).tag(0, 0)}`))],
    on: 'alike',
  },
  {
    name: 'status-removal',
    work: 'a status with 100,000 tasks is deleted, and they move to another',
    shots: (world) => {
      const [from, to] = [namesOf(world.shape).status(0, 0), namesOf(world.shape).status(0, 1)];
      return [remove(world, ofBoard(world, `status/${from}?moveTo=${to}`))];
    },
    on: 'alike',
  },
  {
    name: 'member-leaving',
    work: 'a member leaves whom 100,000 tasks are assigned to',
    shots: (world) => [remove(world, `/members/${namesOf(world.shape).member(CALLER)}`)],
    on: 'alike',
  },
];

function onBoard({ shape }: World) {
  const names = namesOf(shape);
  return { boardId: names.board(0), statusId: names.status(0, STATUSES - 1) };
}

function post({ workspace, token }: World, path: string, body: object): Shot {
  return { method: 'POST', path: workspace + path, token, body };
}

function remove({ workspace, token }: World, path: string): Shot {
  return { method: 'DELETE', path: workspace + path, token };
}

function ofBoard({ shape }: World, path: string): string {
  return `/board/${namesOf(shape).board(0)}/${path}`;
}

/** It has all others below it. */
function firstFolder({ shape }: World): string {
  return namesOf(shape).page(shape.boards);
}

/** The board, which is the deepest page. */
function deepest({ shape }: World): string {
  return namesOf(shape).board(0);
}

function batch(world: World, placing: (n: number) => object): Shot {
  const length = Math.min(BATCH, world.shape.tasks);
  const tasks = Array.from({ length }, (_, n) => ({ ...onBoard(world), title: `b${n}`, ...placing(n) }));
  return post(world, '/task/batch', { tasks });
}

function hostile(world: World): Shot[] {
  return HOSTILE.map((body) => post(world, '/task/batch', body));
}

/** Changes the tree: what was found out about it does not count any more. */
function newPage(world: World): Shot {
  return post(world, '/page', { name: 'new', type: 'folder' });
}

function gets({ workspace, token }: World, length: number, path: string): Shot[] {
  return Array.from({ length }, () => ({ method: 'GET', path: workspace + path, token }));
}

function exclusions(): string {
  const ids = (n: number) =>
    Array.from({ length: 40 }, (_, i) => `00000000-0000-7000-8000-${String(n * 100 + i).padStart(12, '0')}`).join();
  const names = ['excludeBoardId', 'excludeStatusId', 'excludeAssigneeId', 'excludeTagId', 'excludeCreatedById'];
  return names.map((name, n) => `${name}=${ids(n)}`).join('&');
}
