import type { Board } from '../../core/model/content/board.ts';
import type { SortKey, TaskFilter, TaskQuery, TaskScope } from '../../core/model/content/task-query.ts';
import type { Task } from '../../core/model/content/task.ts';
import type { Random } from './random.ts';
import { board, instant, status, tag, task } from './records.ts';

/** What random tasks and queries are made of: few values, so that they meet. */
export interface RandomBoards {
  readonly boards: readonly Board[];
  readonly members: readonly string[];
  readonly statuses: readonly string[];
  readonly tags: readonly string[];
}

const WORDS = ['alpha', 'Beta', 'GAMMA', 'straße', 'İ', 'ab', 'ΟΔΟΣ'];
const DATES = [null, '2026-01-31', '2026-02-01', '2026-02-28'];
const PRIORITIES = [0, 100, 400];
const LINKS = ['blockedBy', 'blocks'] as const;
const KEYS = ['a', 'b.c', 'constructor'];
/** The indexes of some of these keys, by key. */
export const INDEXES: Readonly<Record<string, string>> = {
  a: '01890000-0000-7000-8000-00000000000a',
  constructor: '01890000-0000-7000-8000-00000000000b',
};
const VALUES = [1, '1', true, 'true', -0.5, 'a', 'ab', 1e21, ''];

export function randomBoards(random: Random, workspaceId: string): RandomBoards {
  const boards = Array.from({ length: 1 + random.below(5) }, () =>
    board(workspaceId, {
      id: random.id(),
      statuses: Array.from({ length: 1 + random.below(3) }, () =>
        status({ id: random.id(), orderKey: random.below(3) - 1 }),
      ),
      tags: Array.from({ length: random.below(3) }, () => tag({ id: random.id() })),
    }),
  );
  return {
    boards,
    members: Array.from({ length: 3 }, () => random.id()),
    statuses: boards.flatMap(({ statuses }) => statuses.map(({ id }) => id)),
    tags: boards.flatMap(({ tags }) => tags.map(({ id }) => id)),
  };
}

/** @param num unique, and the source of a place in the status and of the externalId */
export function randomTask(random: Random, world: RandomBoards, num: number, id = random.id()): Task {
  const on = random.pick(world.boards);
  const changedAt = random.below(6);
  return task(on, num, {
    id,
    title: `${random.pick(WORDS)} ${random.pick(WORDS)}`,
    description: random.once(3) ? random.pick(WORDS) : '',
    statusId: random.pick(on.statuses).id,
    statusOrderKey: (num * 7919) % 1009,
    priority: random.pick(PRIORITIES),
    complete: random.once(2),
    createdById: random.pick(world.members),
    dateStart: random.pick(DATES),
    dateEnd: random.pick(DATES),
    externalId: random.once(3) ? `E-${num}` : null,
    tags: random.some(on.tags).map((each) => each.id),
    assignees: random.some(world.members, 3),
    createdAt: instant(random.below(4)),
    updatedAt: instant(changedAt),
    ...(random.once(3) ? boardEdits(random, changedAt) : {}),
    ...(random.once(4) ? { links: { [random.pick(LINKS)]: [random.id()] } } : {}),
    ...(random.once(2) ? { metadata: { [random.pick(KEYS)]: random.pick(VALUES), [random.pick(KEYS)]: 1 } } : {}),
  });
}

/** A member who sees the task but not its board is shown an earlier time, unless it has changed again since. */
function boardEdits(random: Random, changedAt: number): Partial<Task> {
  const version = random.pick([2, 3]);
  return { version, boardEdits: { count: 1, version: 2, updatedAt: instant(random.below(changedAt + 1)) } };
}

export function randomQuery(
  random: Random,
  world: RandomBoards,
  tasks: readonly Task[],
  workspaceId: string,
): TaskQuery {
  const sort = randomSort(random);
  const orders = new Map(world.boards.flatMap(({ statuses }) => statuses.map(({ id, orderKey }) => [id, orderKey])));
  return {
    workspaceId,
    scope: randomScope(random, world, tasks),
    filters: Array.from({ length: random.pick([0, 1, 1, 2, 3]) }, () => randomFilter(random, world, tasks)),
    sort,
    ...(sort.some(({ field }) => field === 'statusOrder') ? { statusOrder: orders } : {}),
    after: null,
    limit: 1 + random.below(12),
  };
}

function randomScope(random: Random, world: RandomBoards, tasks: readonly Task[]): TaskScope | null {
  if (random.once(3)) return null;
  const boards = new Set(random.some(world.boards).map(({ id }) => id));
  const [on, off] = [(each: Task) => boards.has(each.boardId), (each: Task) => !boards.has(each.boardId)];
  const ids = (chosen: readonly Task[], outOf: number) => new Set(random.some(chosen, outOf).map(({ id }) => id));
  return { boards, hidden: ids(tasks.filter(on), 5), withoutBoard: ids(tasks.filter(off), 3) };
}

function randomFilter(random: Random, world: RandomBoards, tasks: readonly Task[]): TaskFilter {
  const not = random.once(3) ? { not: true } : {};
  const orNone = (ids: readonly string[]): (string | null)[] => [
    ...random.some(ids),
    ...(random.once(3) ? [null] : []),
  ];
  const some = (ids: readonly string[]): string[] =>
    random.once(2) ? random.some(ids) : [random.pick([...ids, random.id()])];
  const dates = (): { from?: string; to?: string } => ({
    ...(random.once(2) ? { from: random.pick(['2026-01-31', '2026-02-01', '2026-02']) } : {}),
    ...(random.once(2) ? { to: random.pick(['2026-02-01', '2026-02-28']) } : {}),
  });
  const filters: (() => TaskFilter)[] = [
    () => ({ field: 'boardId', in: some(world.boards.map(({ id }) => id)), ...not }),
    () => ({ field: 'statusId', in: some(world.statuses), ...not }),
    () => ({ field: 'createdById', in: some(world.members), ...not }),
    () => ({ field: 'priority', in: random.some(PRIORITIES), ...not }),
    () => ({ field: 'num', in: [random.below(120), ...random.some(tasks, 4).map(({ num }) => num)], ...not }),
    () => ({ field: 'complete', in: [random.once(2)], ...not }),
    () => ({
      field: 'externalId',
      in: random.some(
        tasks.flatMap((each) => each.externalId ?? []),
        4,
      ),
      ...not,
    }),
    () => ({ field: 'tags', in: orNone(world.tags), ...not }),
    () => ({
      anyMetadata: random.some(KEYS, 2).map((key) => ({
        key,
        text: random.pick([null, '', '1', '-0.5', '1e+21', '1.0', 'true', 'a', 'ab']),
        ...(random.once(2) && Object.hasOwn(INDEXES, key) ? { index: INDEXES[key]! } : {}),
      })),
      ...not,
    }),
    () => ({ field: 'assignees', in: orNone(world.members), ...not }),
    () => ({ field: 'assignees', in: [null], ended: new Set(random.some(world.members)), ...not }),
    () => ({ ids: new Set(random.some(tasks, 5).map(({ id }) => id)), ...not }),
    () => ({ ids: new Set(random.some(tasks, 20).map(({ id }) => id)), orWithout: random.pick(LINKS), ...not }),
    () => ({ field: 'dateStart', ...dates() }),
    () => ({ field: 'dateEnd', ...dates() }),
    () => ({
      field: 'updatedAt',
      ...(random.once(2) ? { from: random.pick([instant(1), instant(3), '2026']) } : {}),
      ...(random.once(3) ? { to: instant(4) } : {}),
    }),
    () => ({
      onBoards: new Set(random.some(world.boards).map(({ id }) => id)),
      orTasks: new Set(random.some(tasks, 5).map(({ id }) => id)),
      ...not,
    }),
    () => ({ overdueOn: '2026-02-20', ...not }),
    () => ({ text: random.pick(['a', 'BETA', 'strasse', 'ß', 'i̇', '.*', 'zzz', 'ΔΟΣ', 'ος α']), ...not }),
  ];
  return random.pick(filters)();
}

const POSITION = ['statusOrder', 'statusId', 'statusOrderKey'] as const;
const FIELDS = ['num', 'title', 'priority', 'dateStart', 'dateEnd', 'createdAt', 'updatedAt'] as const;

function randomSort(random: Random): readonly SortKey[] {
  const position = (descending: boolean): SortKey[] => POSITION.map((field) => ({ field, descending }));
  const keys: SortKey[] = [];
  for (let count = random.pick([0, 1, 1, 1, 2]); count > 0; count -= 1) {
    const descending = random.once(2);
    if (random.once(3)) keys.push(...position(descending));
    else keys.push({ field: random.pick(FIELDS), descending });
  }
  return [...keys, { field: 'id', descending: random.once(3) }];
}
