import type { Call } from '../call.ts';
import { usage } from '../io/failure.ts';
import { isId } from '../refs/id.ts';
import type { WorkspaceLookup } from '../refs/workspace-lookup.ts';
import { isInteractive } from '../io/io.ts';
import { attributeName, option, type Given } from '../option.ts';
import { LINES } from './lines/options.ts';
import { FIELDS, fieldsOf } from './fields.ts';
import { changeTasks } from './several.ts';
import { COUNT, WHERE } from './where.ts';

const many = true as const;

interface Linked {
  readonly tags: readonly string[] | undefined;
  readonly people: readonly string[] | undefined;
}

/** Options that add or remove single values, besides those that replace all. */
const MORE_AND_LESS = [
  option('--add-tag <tag>', 'put it on, beside those there are', { many }),
  option('--remove-tag <tag>', 'take it off', { many }),
  option('--add-assignee <member>', 'assign it to them too', { many }),
  option('--remove-assignee <member>', 'take it from them', { many }),
];

const TITLE = option('-t, --title <text>', 'a new title');

export const EDIT = [TITLE, ...FIELDS, ...MORE_AND_LESS, WHERE, COUNT, ...LINES];

export type EditCall = Call<Given<typeof EDIT>>;

/** `task edit`, for named tasks or those in a file. */
export async function editTasks(call: EditCall): Promise<void> {
  const { from, dryRun, skip, where } = call.options;
  if (where !== undefined) {
    if (call.args.length > 0 || from !== undefined || skip !== undefined) {
      throw usage('--where finds the tasks: none are named beside it, and it goes without --from and --skip.');
    }
    const { editWhere } = await import('./edit-where.ts');
    return editWhere(call, where);
  }
  if (from !== undefined) {
    if (call.args.length > 0) throw usage('--from FILE names the tasks in its lines; none are named beside it.');
    const { editFromFile } = await import('./lines/command.ts');
    return editFromFile(call);
  }
  if (call.options.count !== undefined) throw usage('--count goes with --where.');
  if (dryRun || skip !== undefined) throw usage('--skip goes with --from FILE, and --dry-run with that or --where.');
  if (call.args.length === 0)
    throw usage('Which tasks? Name them by number, title or id; or give --where or --from FILE.');
  const workspace = await call.workspace();
  const { session, workspaceId } = workspace;
  const given = [...FIELDS, ...MORE_AND_LESS, TITLE].some(
    ({ flags }) => (call.options as Readonly<Record<string, unknown>>)[attributeName(flags)] !== undefined,
  );
  if (!given && call.args.length === 1 && isInteractive(call.io)) {
    const { editInEditor } = await import('./edit-in-editor.ts');
    const taskId = await workspace.task(call.arg(0));
    return editInEditor(call, workspace, await session.tasks.get({ workspaceId, taskId }));
  }
  if (!given) {
    throw usage('What is to change? Give --title, --status, --end or another option: espalier task edit --help');
  }
  await changeTasks(call, workspace, call.args, async (task) => {
    const title = call.options.title;
    const fields = { ...(title === undefined ? {} : { title }), ...(await fieldsOf(call, workspace, task.boardId)) };
    const { addTag, addAssignee, removeTag, removeAssignee } = call.options;
    const adding = await linksOf(workspace, task.boardId, { tags: addTag, people: addAssignee });
    const removing = await linksOf(workspace, task.boardId, { tags: removeTag, people: removeAssignee });
    const address = { workspaceId, taskId: task.id };
    let after = Object.keys(fields).length === 0 ? task : await session.tasks.update({ ...address, ...fields });
    const [tags, people] = [new Set(after.tags), new Set(after.assignees)];
    for (const tagId of adding.tags) if (!tags.has(tagId)) after = await session.tasks.addTag({ ...address, tagId });
    for (const memberId of adding.people)
      if (!people.has(memberId)) after = await session.tasks.assign({ ...address, memberId });
    const offTags = removing.tags.filter((tagId) => tags.has(tagId));
    const offPeople = removing.people.filter((memberId) => people.has(memberId));
    for (const tagId of offTags) await session.tasks.removeTag({ ...address, tagId });
    for (const memberId of offPeople) await session.tasks.unassign({ ...address, memberId });
    return offTags.length + offPeople.length === 0 ? after : session.tasks.get(address);
  });
}

/** The ids of tags and members named in options. */
export async function linksOf(workspace: WorkspaceLookup, boardId: string | null, given: Linked) {
  const tags: string[] = [];
  for (const ref of given.tags ?? []) tags.push(await tagOn(workspace, boardId, ref));
  const people: string[] = [];
  for (const ref of given.people ?? []) people.push(await workspace.member(ref));
  return { tags, people };
}

/** @throws a usage failure for a name if the board is hidden */
export function tagOn(workspace: WorkspaceLookup, boardId: string | null, ref: string): Promise<string> {
  if (boardId !== null) return workspace.tag(boardId, ref);
  if (isId(ref)) return Promise.resolve(ref);
  throw usage('The board of the task is hidden from you, and its tags with it.');
}
