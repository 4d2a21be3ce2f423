import type { TaskCount } from '../../core/task/many/select.ts';
import type { TaskView } from '../../core/task/view.ts';
import { withoutUndefined } from '../config/without-undefined.ts';
import type { WorkspaceLookup } from '../refs/workspace-lookup.ts';
import { oneByOne } from '../one-by-one.ts';
import { usage } from '../io/failure.ts';
import { isInteractive } from '../io/io.ts';
import { addedAndRemoved, type EditCall, hasChanges, refuseOptionsOfOneTask, NO_CHANGES } from './edit-options.ts';
import { fieldsOfCall } from './fields.ts';
import { changeTasks } from './several.ts';
import { REQUIRE_WHERE } from './where.ts';

/** `task edit`, for named tasks or those in a file. */
export async function runEdit(call: EditCall): Promise<void> {
  const { from, dryRun, skip, where } = call.options;
  if (where !== undefined) {
    if (call.args.length > 0 || from !== undefined || skip !== undefined) {
      throw usage('--where selects the tasks: do not name any as well, and do not add --from or --skip.');
    }
    const { editWhere } = await import('./edit-where.ts');
    return editWhere(call, where);
  }
  if (from !== undefined) {
    if (call.args.length > 0) throw usage('--from FILE selects the tasks: do not name any as well.');
    const { editFromFile } = await import('./lines/command.ts');
    return editFromFile(call);
  }
  if (call.options.count !== undefined || call.options.yes) throw usage(REQUIRE_WHERE);
  if (skip !== undefined) throw usage('--skip requires --from FILE.');
  if (call.args.length === 0) throw usage('No tasks given: use a number, title or id, --where or --from FILE.');
  if (call.args.length > 1) refuseOptionsOfOneTask(call, 'several tasks');
  const workspace = await call.workspace();
  const { session, workspaceId } = workspace;
  const given = hasChanges(call);
  if (!given && !dryRun && call.args.length === 1 && isInteractive(call.io)) {
    const { editInEditor } = await import('./edit-in-editor.ts');
    const taskId = await workspace.task(call.arg(0));
    return editInEditor(call, workspace, await session.tasks.get({ workspaceId, taskId }));
  }
  if (!given) throw usage(NO_CHANGES);
  if (dryRun) {
    const { previewEdit } = await import('./preview.ts');
    await changeTasks(call, workspace, call.args, (task) => previewEdit(call, workspace, task));
    return call.out.note('Dry run: nothing was changed.');
  }
  await changeTasks(call, workspace, call.args, async (task) => {
    const writes = await writesOf(call, workspace, task);
    const done = await oneByOne<TaskView | TaskCount>(call, writes, task);
    const last = done.at(-1)!;
    return 'id' in last ? last : session.tasks.get({ workspaceId, taskId: task.id });
  });
}

/**
 * One write, unless fields that only one task can have are set together with tags or assignees that are added or
 * removed.
 */
async function writesOf(call: EditCall, workspace: WorkspaceLookup, { id, boardId }: TaskView) {
  const { session, workspaceId } = workspace;
  const fields = withoutUndefined({ title: call.options.title, ...(await fieldsOfCall(call, workspace, boardId)) });
  const lists = await addedAndRemoved(call, workspace, boardId);
  const update = (set: typeof fields) => () => session.tasks.update({ workspaceId, taskId: id, ...set });
  if (Object.keys(lists).length === 0) return [update(fields)];
  const { title, description, externalId, ...ofMany } = fields;
  const ofOne = withoutUndefined({ title, description, externalId });
  const set = { ...ofMany, ...lists };
  const updateMany = () => session.tasks.updateMany({ workspaceId, taskIds: [id], set });
  if (Object.keys(ofOne).length === 0) return [updateMany];
  // Contradictory changes are refused before the first of the two writes.
  const { requireSet } = await import('../../core/task/many/set.ts');
  requireSet(set);
  return [update(ofOne), updateMany];
}
