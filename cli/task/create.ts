import type { Call } from '../call.ts';
import { ask, choose } from '../io/ask.ts';
import { isInteractive } from '../io/io.ts';
import { Failure, missing, usage } from '../io/failure.ts';
import { createdText, taskColumns } from '../output/task.ts';
import { count } from '../output/count.ts';
import { DRY_RUN } from '../output/deletion-preview.ts';
import { option, type Given } from '../option.ts';
import type { WorkspaceLookup } from '../refs/workspace-lookup.ts';
import { FIELDS, fieldsOf } from './fields.ts';
import { namesIn } from './names.ts';

export const CREATE = [
  option('-t, --title <text>', 'what is to be done'),
  option('-b, --board <board>', 'name, path or id of the board'),
  ...FIELDS,
  option('--page <page>', 'the task page that the task becomes the content of'),
  option('--from <file>', 'a task of each line of this file of JSON Lines; - reads the standard input'),
  option('--atomic', 'with --from: all or nothing in each batch of 1,000; the first that is refused is the last'),
  DRY_RUN,
];

type CreateCall = Call<Given<typeof CREATE>>;

/** `task create`. */
export async function createTasks(call: CreateCall): Promise<void> {
  const { from } = call.options;
  return from === undefined ? createTask(call) : createMany(call, await call.space(), from);
}

async function createTask(call: CreateCall): Promise<void> {
  if (call.options.atomic || call.options.dryRun) throw usage('--atomic and --dry-run go with --from FILE.');
  const space = await call.space();
  const { session, workspaceId } = space;
  const { title, board } = await whatAndWhere(call, space);
  const boardId = await space.board(board);
  const page = call.options.page;
  const given = {
    ...(await fieldsOf(call, space, boardId)),
    ...(page === undefined ? {} : { pageId: await space.page(page) }),
  };
  const task = await session.tasks.create({ workspaceId, boardId, title, ...given });
  const names = await namesIn(space, call.out.isForPeople ? [task] : []);
  if (call.out.isForPeople) call.out.show(task, (style) => createdText(task, names, style));
  else call.out.record(task, taskColumns(names));
}

/** A person at a terminal is asked for what is missing. @throws a usage failure for anybody else */
async function whatAndWhere({ options, io }: CreateCall, space: WorkspaceLookup) {
  const { title, board } = options;
  if (title !== undefined && board !== undefined) return { title, board };
  if (!isInteractive(io)) throw usage('A new task needs --title and --board; or --from FILE.');
  const paths = await space.paths();
  const boards = (await space.pages()).filter(({ type }) => type === 'board').map(({ id }) => paths.get(id)!);
  if (boards.length === 0) throw missing('There is no board here.', 'Make one: espalier board create --name NAME');
  const where = board ?? (boards.length === 1 ? boards[0]! : await choose(io, 'board:', boards));
  return { title: title ?? (await ask(io, `title of the task on ${where}:`)), board: where };
}

async function createMany(call: CreateCall, space: WorkspaceLookup, file: string): Promise<void> {
  const { createFrom } = await import('./bulk.ts');
  const dryRun = call.options.dryRun === true;
  const options = { board: call.options.board, atomic: call.options.atomic === true, dryRun };
  const { reports, stoppedAfter, reason } = await createFrom(space, await call.read(file), options, call.io);
  const wrong = reports.filter(({ error }) => error !== null);
  if (call.out.isJson || wrong.length > 0) {
    await call.out.list(call.out.isJson ? reports : wrong, [
      { title: 'line', align: 'right', text: ({ line }) => String(line) },
      { title: 'why', text: ({ error }) => error?.detail ?? '' },
    ]);
  }
  const good = count(reports.length - wrong.length, 'task');
  const bad = wrong.length === 0 ? '' : `, ${count(wrong.length, 'line')} refused`;
  call.out.note(dryRun ? `${good} would be made${bad}; nothing was written.` : `${good} made${bad}.`);
  if (stoppedAfter !== null) {
    const from = stoppedAfter + 1;
    call.out.note(
      stoppedAfter === 0 ? 'No line is in.' : `Done up to line ${stoppedAfter}, and nothing from line ${from} on.`,
    );
    throw reason;
  }
  if (wrong.length > 0) throw new Failure('failed', 'Some lines were refused.');
}
