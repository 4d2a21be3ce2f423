import { checkOf } from '../../../adapters/schemas/check.ts';
import { operations } from '../../../adapters/schemas/operations.ts';
import { requireLevel } from '../../../core/access/viewer.ts';
import { requireNotBeingRemoved, requireTagsNotBeingRemoved } from '../../../core/board/being-removed.ts';
import { firstStatus } from '../../../core/board/statuses.ts';
import { conflict, unusable } from '../../../core/kernel/errors.ts';
import { type ExpectedVersion, expectVersion } from '../../../core/kernel/record.ts';
import { EDIT } from '../../../core/model/access/level.ts';
import type { Status } from '../../../core/model/content/board.ts';
import type { PageView } from '../../../core/page/view.ts';
import { requireDates } from '../../../core/task/dates.ts';
import { requireStatus, requireTags } from '../../../core/task/references.ts';
import type { UpdateTask } from '../../../core/task/update.ts';
import type { UseCaseName } from '../../../core/use-cases.ts';
import type { WorkspaceLookup } from '../../refs/workspace-lookup.ts';
import type { ShownTask } from '../names.ts';
import { boardToUse, requireAssignees, requireEditing, requireEditingOnBoth } from '../would-refuse.ts';
import type { LineDraft } from './draft.ts';

const checkCreate = checkOf(inputOf('tasks.create'));
const checkUpdate = checkOf(inputOf('tasks.update'));

/**
 * Checks what can be checked without writing: form, dates, references, and the level of the caller.
 *
 * @returns the status that the task would get
 * @throws as the call that would create the task
 */
export async function tryCreate(workspace: WorkspaceLookup, draft: LineDraft): Promise<Status> {
  checkCreate({ workspaceId: workspace.workspaceId, ...draft });
  requireDates(draft);
  const { boardId, statusId, pageId = null, tags = [], assignees = [] } = draft;
  await requireEditing(workspace, { boardId });
  const page = pageId === null ? null : await requireTaskPage(workspace, pageId);
  const board = await boardToUse(workspace, boardId);
  if (statusId !== undefined) requireStatus(board, statusId);
  requireTags(board, tags);
  await requireAssignees(workspace, { boardId, pageId }, assignees, 'assignees');
  const status = board.statuses.find(({ id }) => id === statusId) ?? firstStatus(board);
  requireNotBeingRemoved(status, 'status');
  requireTagsNotBeingRemoved(board, tags);
  if (page !== null && page.contentId !== null) throw conflict('page-has-content', 'The page already shows a task.');
  return status;
}

async function requireTaskPage(workspace: WorkspaceLookup, pageId: string): Promise<PageView> {
  const page = (await workspace.pages()).find(({ id }) => id === pageId);
  if (page?.type !== 'task') throw unusable('pageId');
  requireLevel(page.access, EDIT);
  return page;
}

/**
 * The same for a change, and whether the task has the expected version.
 *
 * @throws as the call that would change the task
 */
export async function tryUpdate(
  workspace: WorkspaceLookup,
  task: ShownTask,
  changes: Omit<UpdateTask, 'workspaceId' | 'taskId'>,
  options: { readonly ifVersion?: readonly ExpectedVersion[] },
): Promise<void> {
  checkUpdate({ workspaceId: workspace.workspaceId, taskId: task.id, ...changes });
  requireDates(changes);
  await requireEditing(workspace, task);
  if (changes.boardId != null) await requireEditingOnBoth(workspace, task, changes.boardId);
  expectVersion(options, task);
  requireDates(changes, task);
}

function inputOf(useCase: UseCaseName) {
  return operations.find((operation) => operation.useCase === useCase)!.input;
}
