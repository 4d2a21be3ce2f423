import type { TaskView } from '../../core/task/view.ts';
import type { CommandCall } from '../call.ts';
import { edit } from '../io/editor.ts';
import { usage } from '../io/failure.ts';
import type { WorkspaceLookup } from '../refs/workspace-lookup.ts';
import { printChanges } from './several.ts';

const END = '<!-- The first line is the title, the rest is the description in Markdown. This line is removed. -->';

/** `task edit` of one task without options at a terminal: opens title and description in an editor. */
export async function editInEditor(call: CommandCall, workspace: WorkspaceLookup, task: TaskView): Promise<void> {
  const { session, workspaceId } = workspace;
  const text = textOf(task);
  const edited = await edit(text, call.io);
  const [before, now] = [readText(text), readText(edited.text)];
  const changes = {
    ...(now.title === before.title ? {} : { title: now.title }),
    ...(now.description === before.description ? {} : { description: now.description }),
  };
  if (Object.keys(changes).length === 0) {
    await edited.discard();
    return call.out.note('Nothing was changed.');
  }
  try {
    if (now.title === '') throw usage('The title, the first line, is empty.');
    // The task may have changed while the editor was open.
    const after = await session.tasks.update({ workspaceId, taskId: task.id, ...changes }, { ifVersion: [task] });
    await printChanges(call, workspace, [{ before: task, after }], false);
  } catch (error) {
    call.out.note(`Your text is saved in ${edited.path}`);
    throw error;
  }
  await edited.discard();
}

function textOf({ title, description }: TaskView): string {
  return `${title.replace(/[\r\n]+/g, ' ')}\n\n${description.trimEnd()}\n\n${END}\n`;
}

/** Less precise than a task: the text of one that nobody has edited may read differently from its fields. */
function readText(text: string): { readonly title: string; readonly description: string } {
  const [title = '', ...rest] = text.replace(END, '').split(/\r?\n/);
  return { title: title.trim(), description: rest.join('\n').replace(/^\n+/, '').trimEnd() };
}
