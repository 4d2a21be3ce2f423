import { LINK_TYPES, type LinkType } from '../../core/model/content/task-links.ts';
import type { CommandCall } from '../call.ts';
import { oneByOne } from '../one-by-one.ts';
import { withMessage, usage } from '../io/failure.ts';
import { option, type OptionValues } from '../option.ts';
import type { WorkspaceLookup } from '../refs/workspace-lookup.ts';
import { changeTasks, tasksNamed } from './several.ts';

const many = true as const;

const OTHERS = [
  option('--blocks <task>', 'tasks it blocks', { many }),
  option('--relates <task>', 'tasks it relates to', { many }),
  option('--duplicates <task>', 'tasks it duplicates', { many }),
];

export const LINK = [option('--parent <task>', 'parent task'), ...OTHERS];

export const UNLINK = [option('--parent', 'remove its parent, even if you cannot see it'), ...OTHERS];

type LinkOptions = OptionValues<typeof OTHERS>;

interface Link {
  readonly type: LinkType;
  readonly taskId: string;
  /** The task as the option names it. */
  readonly ref: string;
}

/** The tasks that the options name, by the type of the link. One that is named twice is there once. */
async function linkedIn(
  workspace: WorkspaceLookup,
  given: Partial<Record<LinkType, readonly string[] | undefined>>,
): Promise<readonly Link[]> {
  const found: Link[] = [];
  for (const type of LINK_TYPES) {
    for (const [taskId, ref] of await tasksNamed(workspace, given[type] ?? [])) found.push({ type, taskId, ref });
  }
  return found;
}

function requireAny(isAny: boolean): void {
  if (!isAny) throw usage('No tasks given: use --parent, --blocks, --relates or --duplicates.');
}

function otherOptions({ blocks, relates, duplicates }: LinkOptions) {
  return { blocks, relates, duplicates };
}

/** Links a task to those that the options name, one after the other. */
export async function runLink(call: CommandCall<OptionValues<typeof LINK>>): Promise<void> {
  const { parent } = call.options;
  const workspace = await call.workspace();
  const { session, workspaceId } = workspace;
  const given = { ...otherOptions(call.options), ...(parent !== undefined && { parent: [parent] }) };
  const links = await linkedIn(workspace, given);
  requireAny(links.length > 0);
  await changeTasks(call, workspace, call.args, async (task) => {
    const from = { workspaceId, fromTaskId: task.id };
    const own = links.find(({ taskId }) => taskId === task.id);
    if (own !== undefined) throw usage(`--${own.type} ${own.ref} is the task itself.`);
    const steps = links.map(
      ({ type, taskId, ref }) =>
        () =>
          session.tasks
            .link({ ...from, type, taskId })
            .catch(withMessage('unusable-reference', `--${type} ${ref} is no task that you can link to.`)),
    );
    return (await oneByOne(call, steps, task)).at(-1)!;
  });
}

/** Removes the named links, one after the other. */
export async function runUnlink(call: CommandCall<OptionValues<typeof UNLINK>>): Promise<void> {
  const { parent } = call.options;
  const workspace = await call.workspace();
  const { session, workspaceId } = workspace;
  const links = await linkedIn(workspace, otherOptions(call.options));
  requireAny(links.length > 0 || parent === true);
  await changeTasks(call, workspace, call.args, async (task) => {
    const from = { workspaceId, fromTaskId: task.id };
    const steps = links.map(
      ({ type, taskId, ref }) =>
        () =>
          session.tasks
            .unlink({ ...from, type, taskId })
            .catch(withMessage('not-found', `Task #${task.num} has no link --${type} ${ref}.`)),
    );
    if (parent === true) {
      steps.unshift(() =>
        session.tasks.unlinkParent(from).catch(withMessage('not-found', `Task #${task.num} has no parent.`)),
      );
    }
    await oneByOne(call, steps, task);
    return session.tasks.get({ workspaceId, taskId: task.id });
  });
}
