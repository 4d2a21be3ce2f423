import type { Board } from '../../core/model/content/board.ts';
import type { Task } from '../../core/model/content/task.ts';
import type { TransferRecord } from '../../core/model/transfer-record.ts';
import { recordsOf } from '../world/records.ts';
import type { Shape } from '../world/shape.ts';

/** A record of PocketBase. */
export interface Entry {
  readonly collection: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Of every user. */
export const PASSWORD = 'correct horse battery';

/** In fifteen letters and digits, as PocketBase makes its own. @param id of a world of the bench */
export function shortId(id: string): string {
  return `id${id.slice(12, 13)}${id.slice(-12)}`;
}

/** A world of the bench, in an order in which each is there before another names it. */
export async function* entriesOf(shape: Shape): AsyncGenerator<Entry> {
  for await (const record of recordsOf(shape)) yield* entriesFor(record);
}

export function userEntry(name: string, email: string, id?: string): Entry {
  const body = { name, email, password: PASSWORD, passwordConfirm: PASSWORD };
  return { collection: 'users', body: id === undefined ? body : { id: shortId(id), ...body } };
}

/** Pages but for boards have no like there. */
function entriesFor({ kind, record }: TransferRecord): readonly Entry[] {
  if (kind === 'workspace') {
    const { id, name, alias } = record;
    return [{ collection: 'workspaces', body: { id: shortId(id), name, alias } }];
  }
  if (kind === 'user') return [userEntry(record.name, record.email, record.id)];
  if (kind === 'member') {
    const { id, workspaceId, userId, role } = record;
    const body = { id: shortId(id), workspace: shortId(workspaceId), user: shortId(userId), role };
    return [{ collection: 'members', body }];
  }
  if (kind === 'board') return boardEntries(record);
  return kind === 'task' ? [taskEntry(record)] : [];
}

function boardEntries({ id, workspaceId, name, statuses, tags }: Board): Entry[] {
  const board = shortId(id);
  return [
    { collection: 'boards', body: { id: board, workspace: shortId(workspaceId), name } },
    ...statuses.map((status) => ({
      collection: 'statuses',
      body: { id: shortId(status.id), board, name: status.name, position: status.orderKey, done: status.done },
    })),
    ...tags.map((tag) => ({
      collection: 'tags',
      body: { id: shortId(tag.id), board, name: tag.name, color: tag.color },
    })),
  ];
}

function taskEntry(task: Task): Entry {
  const { num, title, description, priority, complete, dateStart, dateEnd } = task;
  const body = {
    id: shortId(task.id),
    board: shortId(task.boardId),
    status: shortId(task.statusId),
    position: task.statusOrderKey,
    createdBy: shortId(task.createdById),
    tags: task.tags.map(shortId),
    assignees: task.assignees.map(shortId),
  };
  return { collection: 'tasks', body: { ...body, num, title, description, priority, complete, dateStart, dateEnd } };
}
