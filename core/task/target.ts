import { levelOn, sees, seesBoard, type Viewer } from '../access/viewer.ts';
import { requireTagsNotBeingRemoved } from '../board/being-removed.ts';
import { firstStatus } from '../board/statuses.ts';
import { tagsOfSameNames } from '../board/tags.ts';
import { forbidden, found, unusable } from '../kernel/errors.ts';
import type { Board, Status } from '../model/content/board.ts';
import { EDIT } from '../model/access/level.ts';
import type { Task } from '../model/content/task.ts';
import { requireStatus, requireTags, unique } from './references.ts';

/** Where an update puts a task, and its tags there. */
export interface TaskTarget {
  readonly board: Board;
  readonly from: Status;
  readonly to: Status;
  readonly tags: readonly string[];
  /** Whether the status changes. */
  readonly moves: boolean;
}

/** What an update says of the board of a task. */
interface BoardChanges {
  readonly boardId?: string;
  readonly statusId?: string;
  readonly tags?: readonly string[];
}

type OnSource = Pick<Task, 'boardId' | 'statusId' | 'tags'>;

const BOARD_FIELDS = [
  'boardId',
  'statusId',
  'statusOrderKey',
  'beforeTaskId',
  'afterTaskId',
  'tags',
  'addTags',
  'removeTags',
] as const;

/** The first field of an update that concerns the board. */
export function firstBoardField(changes: object): (typeof BOARD_FIELDS)[number] | undefined {
  return BOARD_FIELDS.find((field) => Reflect.get(changes, field) !== undefined);
}

/** Fields of a board that the caller may not see cannot be written. @throws `unusable-reference` */
export function requireBoardSeen(viewer: Viewer, task: Task, changes: object): void {
  const field = firstBoardField(changes);
  if (field !== undefined && !sees(viewer, task.boardId)) throw unusable(field);
}

/** Checked before the version, unlike references that cannot be used at all. @throws `forbidden` */
export function requireEditingBoards(viewer: Viewer, task: Task, boardId: string): void {
  if (boardId === task.boardId || !sees(viewer, task.boardId) || !seesBoard(viewer, boardId)) return;
  const both = levelOn(viewer, boardId) >= EDIT && levelOn(viewer, task.boardId) >= EDIT;
  if (!both) throw forbidden('This needs Editing on both boards.');
}

/** @throws `unusable-reference` for a status or tag of another board, `board-without-status` */
export function taskTarget(board: Board, source: Board, task: OnSource, changes: BoardChanges): TaskTarget {
  if (changes.statusId !== undefined) requireStatus(board, changes.statusId);
  if (changes.tags !== undefined) requireTags(board, changes.tags);
  const from = found(source.statuses.find((status) => status.id === task.statusId));
  const to = statusAfter(board, task, changes.statusId);
  const tags = changes.tags === undefined ? tagsOfSameNames(board, source, task.tags) : unique(changes.tags);
  return { board, from, to, tags, moves: to.id !== from.id };
}

/** @throws `being-removed` if a tag that the task does not have yet is */
export function requireNewTagsNotBeingRemoved(
  { board, tags }: Pick<TaskTarget, 'board' | 'tags'>,
  task: Pick<Task, 'tags'>,
): void {
  const known = new Set(task.tags);
  requireTagsNotBeingRemoved(
    board,
    tags.filter((id) => !known.has(id)),
  );
}

function statusAfter(board: Board, task: OnSource, statusId: string | undefined): Status {
  const wanted = statusId ?? (board.id === task.boardId ? task.statusId : undefined);
  return board.statuses.find((status) => status.id === wanted) ?? firstStatus(board);
}
