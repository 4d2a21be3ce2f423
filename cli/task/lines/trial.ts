import { checkOf } from '../../../adapters/schemas/check.ts';
import { operations } from '../../../adapters/schemas/operations.ts';
import { type ExpectedVersion, expectVersion } from '../../../core/kernel/record.ts';
import { requireDates } from '../../../core/task/dates.ts';
import type { UpdateTask } from '../../../core/task/update.ts';
import type { UseCaseName } from '../../../core/use-cases.ts';
import type { WorkspaceLookup } from '../../refs/workspace-lookup.ts';
import type { ShownTask } from '../names.ts';
import { requireEditing, requireEditingOnBoth } from '../would-refuse.ts';
import type { LineDraft } from './draft.ts';

const checkCreate = checkOf(inputOf('tasks.createMany'));
const checkUpdate = checkOf(inputOf('tasks.update'));

/**
 * Checks what can be checked without writing: form, dates, and the level of the caller.
 *
 * @throws as the call that would create the task
 */
export async function tryCreate(workspace: WorkspaceLookup, draft: LineDraft): Promise<void> {
  checkCreate({ workspaceId: workspace.workspaceId, tasks: [draft] });
  requireDates(draft);
  await requireEditing(workspace, { boardId: draft.boardId });
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
  requireDates({ plannedStartDate: task.dateStart, plannedEndDate: task.dateEnd, ...changes });
}

function inputOf(useCase: UseCaseName) {
  return operations.find((operation) => operation.useCase === useCase)!.input;
}
