import type { CommandCall } from '../call.ts';
import { ask, choose } from '../io/ask.ts';
import { isInteractive } from '../io/io.ts';
import { missing, usage } from '../io/failure.ts';
import { createdText, taskColumns } from '../output/record/task.ts';
import { LINE_OPTIONS } from './lines/options.ts';
import { option, type OptionValues } from '../option.ts';
import { distinctNames } from '../refs/resolve-name.ts';
import type { WorkspaceLookup } from '../refs/workspace-lookup.ts';
import { FIELDS, fieldsOfCall } from './fields.ts';
import { namesIn } from './names.ts';

export const CREATE = [
  option('-t, --title <text>', 'title of the task'),
  option('-b, --board <board>', 'name, path or id of the board'),
  ...FIELDS,
  option('--page <page>', 'task page to put the task on'),
  option('--atomic', 'with --from: create batches of 1,000 in full or not at all; stop at a refused one'),
  ...LINE_OPTIONS,
];

type CreateCall = CommandCall<OptionValues<typeof CREATE>>;

/** `task create`. */
export async function runCreate(call: CreateCall): Promise<void> {
  const { from, board, atomic } = call.options;
  if (from === undefined) return createTask(call);
  const { createFromFile } = await import('./lines/command.ts');
  return createFromFile(call, { board, atomic: atomic === true });
}

async function createTask(call: CreateCall): Promise<void> {
  const { atomic, dryRun, skip } = call.options;
  if (atomic || skip !== undefined) throw usage('--atomic and --skip require --from FILE.');
  const workspace = await call.workspace();
  const { session, workspaceId } = workspace;
  const { title, board } = await whatAndWhere(call, workspace);
  const boardId = await workspace.board(board);
  const page = call.options.page;
  const given = {
    ...(await fieldsOfCall(call, workspace, boardId)),
    ...(page === undefined ? {} : { pageId: await workspace.page(page) }),
  };
  const draft = { boardId, title, ...given };
  if (dryRun) {
    const { previewCreation } = await import('./preview-creation.ts');
    return previewCreation(call, workspace, draft);
  }
  const task = await session.tasks.create({ workspaceId, ...draft });
  const names = await namesIn(workspace, call.out.isForPeople ? [task] : []);
  if (call.out.isForPeople) call.out.show(task, (style) => createdText(task, names, style));
  else call.out.record(task, taskColumns(names));
}

/** Asks a user at a terminal for missing fields. @throws a usage failure in scripts */
async function whatAndWhere({ options, io }: CreateCall, workspace: WorkspaceLookup) {
  const { title, board } = options;
  if (title !== undefined && board !== undefined) return { title, board };
  if (!isInteractive(io)) throw usage('A new task requires --title and --board, or --from FILE.');
  const named = await workspace.namedPages(['board']);
  const distinct = distinctNames(named);
  // By path, as those of one name stand side by side.
  const boards = named.map(({ id, names }) => names.slice(-2).find((path) => distinct.get(id)!.includes(path)) ?? id);
  if (boards.length === 0) throw missing('There are no boards here.', 'Create one: espalier board create --name NAME');
  const where = board ?? (boards.length === 1 ? boards[0]! : await choose(io, 'board:', boards));
  return { title: title ?? (await ask(io, `title of the task on ${where}:`)), board: where };
}
