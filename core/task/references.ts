import { levelsOfMembers } from '../access/members-access.ts';
import type { Viewer } from '../access/viewer.ts';
import { unusable } from '../kernel/errors.ts';
import { VIEW } from '../model/access/level.ts';
import type { Board } from '../model/content/board.ts';
import type { Task } from '../model/content/task.ts';
import type { ReadTransaction } from '../ports/store.ts';

/** @throws `unusable-reference` for a status of another board */
export function requireStatus(board: Board, statusId: string): void {
  if (!board.statuses.some((status) => status.id === statusId)) throw unusable('statusId');
}

/** @throws `unusable-reference` for a tag of another board */
export function requireTags(board: Board, tags: readonly string[], field = 'tags'): void {
  if (tags.length === 0) return;
  const known = new Set(board.tags.map((tag) => tag.id));
  if (!tags.every((id) => known.has(id))) throw unusable(field);
}

/** @throws `unusable-reference` for an assignee who is not active or has less than 100 on the task */
export async function requireAssignable(
  tx: ReadTransaction,
  viewer: Viewer,
  task: Pick<Task, 'id' | 'boardId'>,
  assignees: readonly string[],
  field = 'assignees',
): Promise<void> {
  if (assignees.length === 0) return;
  const levels = await levelsOfMembers(tx, viewer, assignees, task);
  if (levels.some((level) => level < VIEW)) throw unusable(field);
}

export function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}
