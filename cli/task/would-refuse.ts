import { requireLevel } from '../../core/access/viewer.ts';
import { unusable } from '../../core/kernel/errors.ts';
import { EDIT, VIEW, type Level } from '../../core/model/access/level.ts';
import { GUEST } from '../../core/model/access/role.ts';
import type { Board } from '../../core/model/content/board.ts';
import { requireDates } from '../../core/task/dates.ts';
import { aboutTask, pointerTo } from '../../core/task/many/about.ts';
import { inSet, type SetOnTasks } from '../../core/task/many/set.ts';
import { firstBoardField } from '../../core/task/target.ts';
import type { TaskSummary } from '../../core/task/view.ts';
import { nullIfNotFound } from '../io/failure.ts';
import type { WorkspaceLookup } from '../refs/workspace-lookup.ts';

/**
 * The checks of `--where` that `--dry-run` can make without writing: of the level of the caller on the tasks.
 *
 * @throws as the call that changes or deletes the tasks would
 */
export async function requireEditable(workspace: WorkspaceLookup, tasks: readonly TaskSummary[]): Promise<void> {
  for (const task of tasks) {
    const level = await levelOn(workspace, task);
    if (level !== undefined) refusing(task, () => requireLevel(level, EDIT));
  }
}

/**
 * The same for one task, or for a new one on a board.
 *
 * @throws `forbidden`. A hidden board or task is left to the write
 */
export async function requireEditing(workspace: WorkspaceLookup, place: TaskPlace): Promise<void> {
  const level = await levelOn(workspace, place);
  if (level !== undefined) requireLevel(level, EDIT);
}

/**
 * A task that goes to another board leaves its own.
 *
 * @throws `forbidden`. A hidden board is left to the write
 */
export async function requireEditingOnBoth(
  workspace: WorkspaceLookup,
  task: TaskPlace,
  boardId: string,
): Promise<void> {
  if (task.boardId === null || boardId === task.boardId) return;
  const [from, to] = [await workspace.levelOn(task.boardId), await workspace.levelOn(boardId)];
  if (from !== undefined && to !== undefined) requireLevel(from < to ? from : to, EDIT);
}

type TaskPlace = Partial<Pick<TaskSummary, 'pageId'>> & Pick<TaskSummary, 'boardId'>;

function levelOn(workspace: WorkspaceLookup, { pageId, boardId }: TaskPlace): Promise<Level | undefined> {
  return workspace.levelOn(pageId ?? boardId ?? '');
}

/** @throws `unusable-reference` if the changes concern the board of the task, and that is hidden */
export function requireBoardShown(task: TaskPlace, changes: object): void {
  const field = firstBoardField(changes);
  if (task.boardId === null && field !== undefined) throw unusable(field);
}

/**
 * A board that a task is put on, for the functions that decide that.
 *
 * @throws `unusable-reference` if it is hidden or missing
 */
export async function boardToUse(workspace: WorkspaceLookup, boardId: string): Promise<Board> {
  const view = await workspace.boardView(boardId).catch(nullIfNotFound);
  if (view === null) throw unusable('boardId');
  const jobId = '';
  return {
    ...view,
    statuses: view.statuses.map((one) => ({ ...one, ...(one.beingRemoved && { removal: { jobId, moveTo: '' } }) })),
    tags: view.tags.map((one) => ({ ...one, ...(one.beingRemoved && { removal: { jobId } }) })),
  };
}

/**
 * Of members whose access the caller may not read, nothing is known: they are left to the write.
 *
 * @throws `unusable-reference` for a member who may not be assigned to a task there
 */
export async function requireAssignees(
  workspace: WorkspaceLookup,
  { pageId, boardId }: TaskPlace,
  memberIds: readonly string[],
  field: string,
): Promise<void> {
  const governing = pageId ?? boardId;
  if (memberIds.length === 0 || governing === null) return;
  const entries = (await workspace.accessOn(governing).catch(nullIfNotFound)) ?? [];
  // A guest reads their own entry only.
  const isWhole = entries.some(({ role }) => role > GUEST);
  for (const id of memberIds) {
    const entry = entries.find(({ memberId }) => memberId === id);
    if (entry === undefined ? isWhole : entry.access < VIEW) throw unusable(field);
  }
}

/** @throws as the call that would change them would */
export function requireDatesInOrder(tasks: readonly TaskSummary[], set: SetOnTasks): void {
  for (const task of tasks) refusing(task, () => inSet(() => requireDates(set, task)));
}

function refusing(task: TaskSummary, check: () => void): void {
  try {
    check();
  } catch (error) {
    throw aboutTask(error, pointerTo({}, task, 0));
  }
}
