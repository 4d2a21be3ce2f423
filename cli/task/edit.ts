import type { TaskView } from '../../core/task/view.ts';
import { oneByOne } from '../one-by-one.ts';
import { usage } from '../io/failure.ts';
import { isInteractive } from '../io/io.ts';
import { addedAndRemoved, type EditCall, hasChanges, refuseOptionsOfOneTask, NO_CHANGES } from './edit-options.ts';
import { fieldsOf } from './fields.ts';
import { changeTasks } from './several.ts';

/** `task edit`, for named tasks or those in a file. */
export async function editTasks(call: EditCall): Promise<void> {
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
  if (call.options.count !== undefined || call.options.yes) throw usage('--count and --yes require --where.');
  if (dryRun || skip !== undefined)
    throw usage('--skip requires --from FILE; --dry-run requires --from FILE or --where.');
  if (call.args.length === 0) throw usage('No tasks given: use a number, title or id, --where or --from FILE.');
  if (call.args.length > 1) refuseOptionsOfOneTask(call, 'several tasks');
  const workspace = await call.workspace();
  const { session, workspaceId } = workspace;
  const given = hasChanges(call);
  if (!given && call.args.length === 1 && isInteractive(call.io)) {
    const { editInEditor } = await import('./edit-in-editor.ts');
    const taskId = await workspace.task(call.arg(0));
    return editInEditor(call, workspace, await session.tasks.get({ workspaceId, taskId }));
  }
  if (!given) throw usage(NO_CHANGES);
  await changeTasks(call, workspace, call.args, async (task) => {
    const title = call.options.title;
    const fields = { ...(title === undefined ? {} : { title }), ...(await fieldsOf(call, workspace, task.boardId)) };
    const { adding, removing } = await addedAndRemoved(call, workspace, task.boardId);
    const address = { workspaceId, taskId: task.id };
    const [tags, people] = [new Set(fields.tags ?? task.tags), new Set(fields.assignees ?? task.assignees)];
    const newTags = adding.tags.filter((tagId) => !tags.has(tagId));
    const newPeople = adding.people.filter((memberId) => !people.has(memberId));
    const offTags = removing.tags.filter((tagId) => tags.has(tagId));
    const offPeople = removing.people.filter((memberId) => people.has(memberId));
    const done = await oneByOne<TaskView | void>(
      call,
      [
        ...(Object.keys(fields).length === 0 ? [] : [() => session.tasks.update({ ...address, ...fields })]),
        ...newTags.map((tagId) => () => session.tasks.addTag({ ...address, tagId })),
        ...newPeople.map((memberId) => () => session.tasks.assign({ ...address, memberId })),
        ...offTags.map((tagId) => () => session.tasks.removeTag({ ...address, tagId })),
        ...offPeople.map((memberId) => () => session.tasks.unassign({ ...address, memberId })),
      ],
      task,
    );
    return done.length === 0 ? task : (done.at(-1) ?? session.tasks.get(address));
  });
}
