import type { CommandCall } from '../call.ts';
import { withMessage } from '../io/failure.ts';
import { tagOn } from './edit-options.ts';
import { changeTasks, splitLast } from './several.ts';

type RemovingCall = CommandCall<{ readonly remove: true | undefined }>;

/** `task tag`, with `--remove` too. */
export async function tagTasks(call: RemovingCall): Promise<void> {
  const workspace = await call.workspace();
  const { session, workspaceId } = workspace;
  const [tasks, tag] = splitLast(call);
  await changeTasks(call, workspace, tasks, async ({ id: taskId, num, boardId }) => {
    const tagId = await tagOn(workspace, boardId, tag, call.options.remove ? 'remove' : 'add');
    if (!call.options.remove) return session.tasks.addTag({ workspaceId, taskId, tagId });
    await session.tasks
      .removeTag({ workspaceId, taskId, tagId })
      .catch(withMessage('not-found', `Task #${num} does not have the tag ${JSON.stringify(tag)}.`));
    return session.tasks.get({ workspaceId, taskId });
  });
}

/** `task assign`, with `--remove` too. */
export async function assignTasks(call: RemovingCall): Promise<void> {
  const workspace = await call.workspace();
  const { session, workspaceId } = workspace;
  const [tasks, member] = splitLast(call);
  const memberId = await workspace.member(member);
  await changeTasks(call, workspace, tasks, async ({ id: taskId, num }) => {
    if (!call.options.remove) return session.tasks.assign({ workspaceId, taskId, memberId });
    await session.tasks
      .unassign({ workspaceId, taskId, memberId })
      .catch(withMessage('not-found', `Task #${num} is not assigned to ${JSON.stringify(member)}.`));
    return session.tasks.get({ workspaceId, taskId });
  });
}
