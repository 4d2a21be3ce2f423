import type { SetOnTasks } from '../../core/task/many/set.ts';
import type { CommandCall } from '../call.ts';
import { usage } from '../io/failure.ts';
import { YES } from '../io/confirm.ts';
import { attributeName, option, type OptionValues } from '../option.ts';
import { isId } from '../../core/kernel/id.ts';
import { withoutUndefined } from '../config/without-undefined.ts';
import type { WorkspaceLookup } from '../refs/workspace-lookup.ts';
import { FIELDS, fieldsOfCall } from './fields.ts';
import { LINE_OPTIONS } from './lines/options.ts';
import { COUNT, WHERE } from './where.ts';

const many = true as const;

/** Options that add or remove single values, in contrast to options that replace all. */
const ADD_AND_REMOVE = [
  option('--add-tag <tag>', 'add a tag, keeping the others', { many }),
  option('--remove-tag <tag>', 'remove a tag', { many }),
  option('--add-assignee <member>', 'add an assignee', { many }),
  option('--remove-assignee <member>', 'remove an assignee', { many }),
];

export const TITLE = option('-t, --title <text>', 'new title');

export const EDIT_OPTIONS = [TITLE, ...FIELDS, ...ADD_AND_REMOVE, WHERE, COUNT, YES, ...LINE_OPTIONS];

export type EditCall = CommandCall<OptionValues<typeof EDIT_OPTIONS>>;

export const NO_CHANGES =
  'No changes given: use --title, --status, --end or another option; see espalier task edit --help';

/** Whether any option specifies a change. */
export function hasChanges({ options }: EditCall): boolean {
  const given = options as Readonly<Record<string, unknown>>;
  return [...FIELDS, ...ADD_AND_REMOVE, TITLE].some(({ flags }) => given[attributeName(flags)] !== undefined);
}

/** Options that can be set only on a single task. */
const OF_ONE_TASK = ['title', 'description', 'externalId'] as const;

/** @param others names what they cannot be combined with. @throws a usage failure */
export function refuseOptionsOfOneTask({ options }: EditCall, others: string): void {
  const name = OF_ONE_TASK.find((one) => options[one] !== undefined);
  if (name === undefined) return;
  throw usage(
    `--${name === 'externalId' ? 'external-id' : name} applies to one task and cannot be used with ${others}.`,
  );
}

/** The values that the options add to tasks on a board and remove from them. */
export async function addedAndRemoved({ options }: EditCall, workspace: WorkspaceLookup, boardId: string | null) {
  const tags = async (refs: readonly string[] | undefined, use: 'add' | 'remove') =>
    refs && Promise.all(refs.map((ref) => tagOn(workspace, boardId, ref, use)));
  const people = async (refs?: readonly string[]) => refs && Promise.all(refs.map((ref) => workspace.member(ref)));
  return withoutUndefined({
    addTags: await tags(options.addTag, 'add'),
    addAssignees: await people(options.addAssignee),
    removeTags: await tags(options.removeTag, 'remove'),
    removeAssignees: await people(options.removeAssignee),
  });
}

/** The fields that the options set on tasks of a board. */
export async function setOnBoard(
  call: EditCall,
  workspace: WorkspaceLookup,
  boardId: string | null,
): Promise<SetOnTasks> {
  const fields = await fieldsOfCall(call, workspace, boardId);
  return { ...fields, ...(await addedAndRemoved(call, workspace, boardId)) };
}

/** @throws a usage failure for a name if the board is hidden */
export function tagOn(
  workspace: WorkspaceLookup,
  boardId: string | null,
  ref: string,
  use: 'add' | 'remove',
): Promise<string> {
  if (boardId !== null) return use === 'add' ? workspace.tag(boardId, ref) : workspace.existing('tag', boardId, ref);
  if (isId(ref)) return Promise.resolve(ref);
  throw usage('You cannot see the board of the task or its tags.');
}
