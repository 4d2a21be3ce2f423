import type { Board } from '../../core/model/content/board.ts';
import type { Member } from '../../core/model/workspace/member.ts';
import type { Task } from '../../core/model/content/task.ts';
import type { TransferRecord } from '../../core/model/transfer-record.ts';
import { CALLER, emailOf, namesOf, standOf, STATUSES, TAGS, type Shape } from './shape.ts';
import { spelled, titleOf, wordOf } from './titles.ts';
import { pagesOf } from './tree.ts';

const BEGAN = Date.UTC(2026, 0, 1);
/** In seconds. */
const [YEAR, WEEK] = [31_536_000, 604_800];
const ROLES = [20, 20, 10, 30] as const;

/** A world as the records of an export, in the order in which an import takes them. */
export async function* recordsOf(shape: Shape): AsyncGenerator<TransferRecord> {
  const names = namesOf(shape);
  const at = timeOf(0);
  const version = { createdAt: at, updatedAt: at, version: 1 };
  yield {
    kind: 'workspace',
    lastNum: shape.tasks,
    record: {
      id: names.workspaceId,
      name: `World ${shape.world}`,
      alias: `world-${shape.world}`,
      description: '',
      defaultAccess: 300,
      ...version,
    },
  };
  for (let n = 0; n < shape.members; n += 1) {
    const person = {
      name: `Person ${n}`,
      email: emailOf(shape.world, n),
      emailVerified: true,
      avatar: null,
      phone: null,
    };
    yield { kind: 'user', record: { id: names.user(n), ...person, ...version } };
  }
  for (let n = 0; n < shape.members; n += 1) yield { kind: 'member', record: memberOf(shape, n, at) };
  for (const record of pagesOf(shape, at)) yield { kind: 'page', record };
  for (let n = 0; n < shape.boards; n += 1) yield { kind: 'board', record: boardOf(shape, n, at) };
  const lengths = new Map<string, number>();
  for (let n = 0; n < shape.tasks; n += 1) yield { kind: 'task', record: read(taskOf(shape, n, lengths)) };
}

function memberOf(shape: Shape, n: number, at: string): Member {
  const names = namesOf(shape);
  return {
    id: names.member(n),
    workspaceId: names.workspaceId,
    userId: names.user(n),
    role: n === 0 ? 40 : n === CALLER ? 20 : ROLES[n % ROLES.length]!,
    position: '',
    active: true,
    leftAt: null,
    membership: 1,
    createdAt: at,
    updatedAt: at,
    version: 1,
  };
}

function boardOf(shape: Shape, board: number, at: string): Board {
  const names = namesOf(shape);
  const version = { createdAt: at, updatedAt: at, version: 1 };
  return {
    id: names.board(board),
    workspaceId: names.workspaceId,
    name: `Board ${board} of world ${shape.world}`,
    description: '',
    externalId: null,
    createdById: names.member(0),
    statuses: Array.from({ length: STATUSES }, (_, n) => ({
      id: names.status(board, n),
      name: `Status ${n}`,
      orderKey: (n + 1) * 1024,
      done: n === STATUSES - 1,
      ...version,
    })),
    tags: Array.from({ length: TAGS }, (_, n) => ({
      id: names.tag(board, n),
      name: `Tag ${n}`,
      color: 'gray',
      ...version,
    })),
    ...version,
  };
}

/** Fields in the order in which the engine makes them. @param lengths how many tasks each status holds so far */
function taskOf(shape: Shape, n: number, lengths: Map<string, number>): Task {
  const names = namesOf(shape);
  const { board, status } = standOf(shape, n);
  const statusId = names.status(board, status);
  const place = (lengths.get(statusId) ?? 0) + 1;
  lengths.set(statusId, place);
  const at = timeOf(n);
  const dated = n % 3 !== 0;
  const start = (n * 60) % YEAR;
  const tag = Math.floor(n / (shape.boards * 2));
  return {
    id: names.task(n),
    workspaceId: names.workspaceId,
    num: n + 1,
    title: spelled(titleOf(n), shape.alphabet),
    description: spelled(descriptionOf(n), shape.alphabet),
    boardId: names.board(board),
    statusId,
    statusOrderKey: place * 1024,
    priority: (n % 5) * 100,
    complete: status === STATUSES - 1,
    createdById: names.member(n % shape.members),
    dateStart: dated ? dayOf(start) : null,
    dateEnd: dated ? dayOf(start + WEEK) : null,
    externalId: null,
    tags:
      shape.tagged === true
        ? [names.tag(board, 0)]
        : [names.tag(board, tag % TAGS), names.tag(board, (tag + 3) % TAGS)],
    assignees: [names.member(CALLER + (n % shape.assignees))],
    commentCount: 0,
    createdAt: at,
    updatedAt: at,
    version: 1,
    checklistTotal: 0,
    checklistDone: 0,
  };
}

/** As it comes out of a file or a request: a text put together in memory keeps its parts, and takes more of that. */
function read(task: Task): Task {
  return JSON.parse(JSON.stringify(task)) as Task;
}

/** The nth second of the worlds, round and round a year. */
export function timeOf(n: number): string {
  return new Date(BEGAN + (n % YEAR) * 1000).toISOString();
}

function dayOf(seconds: number): string {
  return new Date(BEGAN + seconds * 1000).toISOString().slice(0, 10);
}

/** About 200 characters. */
export function descriptionOf(n: number): string {
  const words = Array.from({ length: 28 }, (_, i) => wordOf(n + i * 5));
  return `${words.join(' ')} ${n}.`;
}

/** The bytes of what people wrote in a task. */
export function textBytesOf(n: number): number {
  return Buffer.byteLength(titleOf(n)) + Buffer.byteLength(descriptionOf(n));
}
