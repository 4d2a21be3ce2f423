import { draftFor } from '../workers/operations.ts';
import type { Shot } from '../load/lua.ts';
import { namesOf, standOf, STATUSES, type Shape } from '../world/shape.ts';
import { shortId } from './records.ts';

/** The requests of the bench as PocketBase takes them. */

const TASKS = '/api/collections/tasks/records';
const PAGE = 500;

export function getTasks(shape: Shape, token: string): Shot[] {
  const { task } = namesOf(shape);
  return Array.from({ length: shape.tasks }, (_, n) => ({
    method: 'GET',
    path: `${TASKS}/${shortId(task(n))}`,
    token,
  }));
}

/** The pages of board 0, of 500 tasks as those of the product: one of 1,000 costs it as much. */
export function listBoard(shape: Shape, token: string): Shot[] {
  const filter = encodeURIComponent(`board="${shortId(namesOf(shape).board(0))}"`);
  const query = `perPage=${PAGE}&skipTotal=1&sort=position&filter=${filter}`;
  return Array.from({ length: Math.ceil(shape.tasks / PAGE) }, (_, n) => ({
    method: 'GET',
    path: `${TASKS}?${query}&page=${n + 1}`,
    token,
  }));
}

/** The task has no number, since nothing gives it one. */
export function createTask(shape: Shape, token: string): Shot {
  const draft = draftFor(shape);
  const { title, description, priority } = draft;
  const [tags, assignees] = [draft.tags.map(shortId), draft.assignees.map(shortId)];
  const body = {
    board: shortId(draft.boardId),
    status: shortId(draft.statusId),
    position: 1_000_000,
    createdBy: assignees[0],
    dateStart: draft.plannedStartDate,
    dateEnd: draft.plannedEndDate,
  };
  return { method: 'POST', path: TASKS, token, body: { ...body, title, description, priority, tags, assignees } };
}

/** Each to the top of the column beside its own, which the client works out; once round all columns. */
export function moveTasks(shape: Shape, token: string): Shot[] {
  const tasks = getTasks(shape, token);
  return Array.from({ length: STATUSES * tasks.length }, (_, i) => {
    const n = i % tasks.length;
    const column = (standOf(shape, n).status + 1 + Math.floor(i / tasks.length)) % STATUSES;
    const body = { status: shortId(namesOf(shape).status(0, column)), position: -1 - i };
    return { method: 'PATCH', path: tasks[n]!.path, token, body };
  });
}
