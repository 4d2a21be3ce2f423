import { GAP } from '../../core/kernel/order-key.ts';
import { draftFor, type Move } from '../workers/operations.ts';
import { namesOf, STATUSES, type Shape } from '../world/shape.ts';
import type { Shot } from '../load/lua.ts';

/** The requests of the bench, on a world. */

export function getTasks(shape: Shape, token: string): Shot[] {
  const { workspaceId, task } = namesOf(shape);
  const count = Math.min(shape.tasks, 1_000);
  return Array.from({ length: count }, (_, n) => ({
    method: 'GET',
    path: `/api/workspace/${workspaceId}/task/${task(Math.floor((n * shape.tasks) / count))}`,
    token,
  }));
}

export function createTask(shape: Shape, token: string): Shot[] {
  const { workspaceId, ...body } = draftFor(shape);
  return [{ method: 'POST', path: `/api/workspace/${workspaceId}/task`, token, body }];
}

/** Tasks of board 0 to the top of one of its columns, by turns. */
export function moveTasks(shape: Shape, token: string): Shot[] {
  const { workspaceId, status } = namesOf(shape);
  return getTasks(shape, token).map(({ path }, n) => ({
    method: 'PUT',
    path,
    token,
    body: { workspaceId, statusId: status(0, (n * 3 + 1) % STATUSES), afterTaskId: null },
  }));
}

const ROUNDS = 4;

/** Some moves of one kind for each task. */
export function movesAmong(shape: Shape, token: string, move: Move): Shot[] {
  return Array.from({ length: ROUNDS * shape.tasks }, (_, n) => {
    const { workspaceId, taskId, ...body } = move(shape, n);
    return { method: 'PUT', path: `/api/workspace/${workspaceId}/task/${taskId}`, token, body };
  });
}

/** Tasks of board 0 to keys that are free, by turns: each comes to several places in each round. */
export function moveTasksByKey(shape: Shape, token: string): Shot[] {
  const { workspaceId, status } = namesOf(shape);
  const tasks = getTasks(shape, token);
  return Array.from({ length: ROUNDS * tasks.length }, (_, n) => {
    const place = (n * 7_919) % tasks.length;
    const statusOrderKey = place * GAP + 1 + ((Math.floor(n / tasks.length) * 211 + place) % (GAP - 2));
    const { path } = tasks[n % tasks.length]!;
    return { method: 'PUT', path, token, body: { workspaceId, statusId: status(0, n % STATUSES), statusOrderKey } };
  });
}

/** The first 500 tasks of a board as it shows them. */
export function listBoard(shape: Shape, token: string, n = 0): Shot {
  const { workspaceId, board } = namesOf(shape);
  const path = `/api/workspace/${workspaceId}/task?boardId=${board(n)}&sort=position&limit=500`;
  return { method: 'GET', path, token };
}

export function listPages(shape: Shape, token: string): Shot {
  return { method: 'GET', path: `/api/workspace/${namesOf(shape).workspaceId}/page`, token };
}

/** @throws when it is answered with a status of 400 and up */
export async function answerTo(url: string, shot: Shot): Promise<Response> {
  const answer = await sent(url, shot);
  if (!answer.ok) throw new Error(`${shot.method} ${shot.path} was answered ${answer.status}: ${await answer.text()}`);
  return answer;
}

export function sent(url: string, { method, path, token, body }: Shot): Promise<Response> {
  return fetch(url + path, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}
