import { GAP } from '../../core/kernel/order-key.ts';
import type { Session } from '../../core/session.ts';
import type { ListTasks } from '../../core/task/list/list.ts';
import type { TaskPosition } from '../../core/task/place/position.ts';
import type { UpdateTask } from '../../core/task/update.ts';
import { timeOf } from '../world/records.ts';
import { CALLER, namesOf, STATUSES, type Shape } from '../world/shape.ts';

/** One call, made again and again. @param i how often it was made before */
export type Run = (i: number) => Promise<unknown>;

/** Makes what a call needs, which is not measured. */
export type Operation = (session: Session, shape: Shape) => Run | Promise<Run>;

const PAGE = 10;
const DEEP = 999;
/** Far apart and each once: a prime that divides no number of tasks here. */
const STRIDE = 7_919;

type Filters = Omit<ListTasks, 'workspaceId' | 'cursor'>;

/** Answered from counts that are kept. */
export const COUNTS: Readonly<Record<string, Operation>> = {
  'read a board, with the number of tasks of each status': (session, shape) => {
    const { workspaceId, board } = namesOf(shape);
    return () => session.boards.get({ workspaceId, boardId: board(0) });
  },
  'count all': list(() => ({ count: true })),
  'count a board': list((shape) => ({ count: true, boardId: [namesOf(shape).board(0)] })),
};

/** Operations whose cost must not depend on the number of tasks in the workspace. Pages have ten tasks. */
export const STEADY: Readonly<Record<string, Operation>> = {
  'get a task': (session, shape) => {
    const { workspaceId, task } = namesOf(shape);
    return (i) => session.tasks.get({ workspaceId, taskId: task((i * STRIDE) % shape.tasks) });
  },
  'create a task': (session, shape) => {
    const draft = draftFor(shape);
    return () => session.tasks.create(draft);
  },
  'move a task to the top': (session, shape) => {
    const { workspaceId, status, task } = namesOf(shape);
    // Those with even numbers are on board 0.
    return (i) => {
      const taskId = task(((i * STRIDE) % (shape.tasks / 2)) * 2);
      return session.tasks.update({ workspaceId, taskId, statusId: status(0, i % STATUSES), afterTaskId: null });
    };
  },
  ...pages('by num', () => ({ sort: ['num'] })),
  ...pages('board by position', (shape) => ({ sort: ['position'], boardId: [namesOf(shape).board(0)] })),
  ...pages('status by position', (shape) => ({ sort: ['position'], statusId: [namesOf(shape).status(0, 0)] })),
  ...pages('one assignee', (shape) => ({ assigneeId: [namesOf(shape).member(CALLER)] })),
  ...pages('one tag', (shape) => ({ tagId: [namesOf(shape).tag(0, 0)] })),
  ...pages('updatedSince by update', () => ({ sort: ['updatedAt'], updatedSince: timeOf(0) })),
  ...COUNTS,
  'updatedSince of 1,000, by num': list((shape) => ({ updatedSince: timeOf(shape.tasks - 1_000) })),
};

/** Operations whose cost may grow: reported, not judged. */
export const GROWING: Readonly<Record<string, Operation>> = {
  'sort by title': list(() => ({ sort: ['title'] })),
  'sort by priority, descending': list(() => ({ sort: ['-priority'] })),
  'sort by start date': list(() => ({ sort: ['dateStart'] })),
  'sort by creation': list(() => ({ sort: ['createdAt'] })),
  'sort by update, descending': list(() => ({ sort: ['-updatedAt'] })),
  'sort by position, all boards': list(() => ({ sort: ['position'] })),
  'board sorted by title': list((shape) => ({ sort: ['title'], boardId: [namesOf(shape).board(0)] })),
  'one assignee by end date': list((shape) => ({ sort: ['dateEnd'], assigneeId: [namesOf(shape).member(CALLER)] })),
  'one assignee on one board': list((shape) => ({
    assigneeId: [namesOf(shape).member(CALLER)],
    boardId: [namesOf(shape).board(0)],
  })),
  'search that finds many': list(() => ({ q: 'ship' })),
  'search that finds one': list(() => ({ q: 'of part 4711' })),
  'search that finds none': list(() => ({ q: 'nowhere to be found' })),
  'one priority': list(() => ({ priority: [400] })),
  'complete ones': list(() => ({ complete: true })),
  'made by one member': list((shape) => ({ createdById: [namesOf(shape).member(0)] })),
  'end in one week': list(() => ({ endFrom: '2026-01-05', endTo: '2026-01-11' })),
  overdue: list(() => ({ overdue: true })),
  'not of one tag': list((shape) => ({ excludeTagId: [namesOf(shape).tag(0, 0)] })),
  'count of one assignee': list((shape) => ({ count: true, assigneeId: [namesOf(shape).member(CALLER)] })),
  'count a search': list(() => ({ count: true, q: 'ship' })),
};

/** In a world whose first column holds all tasks but ten, and the second those ten. */
export const COLUMNS: Readonly<Record<string, Operation>> = {
  'move to the top of the long column': moveWithin(0, (shape) => [0, shape.tasks - 10]),
  'move to the top of the short column': moveWithin(1, (shape) => [shape.tasks - 10, 10]),
};

/** One move of a task. @param i how many were made before */
export type Move = (shape: Shape, i: number) => UpdateTask;

/** Moves of tasks from the first half of a small world, into gaps between those of the other half, which stay. */
export const MOVES: Readonly<Record<string, Move>> = {
  'move by neighbour': moveAmong((shape, i) => {
    const { column, place } = gapOf(shape, i);
    return { beforeTaskId: namesOf(shape).task(shape.tasks / 2 + place * STATUSES + column) };
  }),
  'move by key': moveAmong((shape, i) => ({ statusOrderKey: keyBefore(shape, i) - 1 - (i % 1_000) })),
  'move to a key that is taken': moveAmong((shape, i) => ({ statusOrderKey: keyBefore(shape, i) })),
};

export const OPERATIONS: Readonly<Record<string, Operation>> = {
  ...STEADY,
  ...GROWING,
  ...COLUMNS,
  ...Object.fromEntries(Object.entries(MOVES).map(([name, move]) => [name, updates(move)])),
};

/** A task as people make it, on board 0. */
export function draftFor(shape: Shape) {
  const { workspaceId, board, status, tag, member } = namesOf(shape);
  return {
    workspaceId,
    boardId: board(0),
    title: 'Write the notes of the release that ships today',
    description: 'What is new, what is different, and what to do before the update. '.repeat(3).trim(),
    statusId: status(0, 0),
    priority: 200,
    plannedStartDate: '2026-03-02',
    plannedEndDate: '2026-03-06',
    tags: [tag(0, 0), tag(0, 1)],
    assignees: [member(CALLER)],
  };
}

function moveWithin(status: number, range: (shape: Shape) => readonly [first: number, count: number]): Operation {
  return (session, shape) => {
    const { workspaceId, status: statusOf, task } = namesOf(shape);
    const [first, count] = range(shape);
    return (i) => {
      const taskId = task(first + ((i * STRIDE) % count));
      return session.tasks.update({ workspaceId, taskId, statusId: statusOf(0, status), afterTaskId: null });
    };
  };
}

function moveAmong(placing: (shape: Shape, i: number) => TaskPosition): Move {
  return (shape, i) => {
    const { workspaceId, status, task } = namesOf(shape);
    const taskId = task((i * STRIDE) % (shape.tasks / 2));
    return { workspaceId, taskId, statusId: status(0, gapOf(shape, i).column), ...placing(shape, i) };
  };
}

function updates(inputOf: Move): Operation {
  return (session, shape) => (i) => session.tasks.update(inputOf(shape, i));
}

/** A gap of the half of a small world that stays: in each round another, at random places, but in each run the same. */
function gapOf(shape: Shape, i: number): { readonly column: number; readonly place: number } {
  return { column: i % STATUSES, place: mixed(i) % (shape.tasks / 2 / STATUSES) };
}

/** The finalizer of MurmurHash3: numbers that are near to each other become such that look random. */
function mixed(n: number): number {
  let h = Math.imul(n ^ (n >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** The key of the task that stays behind the gap. */
function keyBefore(shape: Shape, i: number): number {
  return (shape.tasks / 2 / STATUSES + gapOf(shape, i).place + 1) * GAP;
}

function list(filters: (shape: Shape) => Filters): Operation {
  return (session, shape) => {
    const { workspaceId } = namesOf(shape);
    const input = { workspaceId, limit: PAGE, ...filters(shape) };
    return () => session.tasks.list(input);
  };
}

function pages(what: string, filters: (shape: Shape) => Filters): Record<string, Operation> {
  return {
    [`${what}, first page`]: list(filters),
    [`${what}, page 1,000`]: async (session, shape) => {
      const { workspaceId } = namesOf(shape);
      const input = { workspaceId, ...filters(shape) };
      const cursor = await cursorAfter(session, input, DEEP * PAGE);
      return () => session.tasks.list({ ...input, limit: PAGE, ...(cursor === null ? {} : { cursor }) });
    },
  };
}

const STEP = 500;

/** The cursor behind so many tasks, or before the last page where there are fewer. Null at the start. */
async function cursorAfter(
  session: Session,
  input: Omit<ListTasks, 'cursor' | 'limit'>,
  behind: number,
): Promise<string | null> {
  let cursor: string | null = null;
  for (let passed = 0; passed < behind;) {
    const limit = Math.min(STEP, behind - passed);
    const { items, next }: { items: readonly unknown[]; next: string | null } = await session.tasks.list({
      ...input,
      limit,
      ...(cursor === null ? {} : { cursor }),
    });
    if (next === null) return cursor;
    passed += items.length;
    cursor = next;
  }
  return cursor;
}
