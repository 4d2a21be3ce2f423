import { wholeNumber, type Call } from '../call.ts';
import { confirm, YES } from '../io/confirm.ts';
import { Failure, usage } from '../io/failure.ts';
import { count } from '../output/count.ts';
import { add } from './comment.ts';
import { TASK_COLUMNS, taskText } from '../output/task.ts';
import { printPages, PAGING } from '../output/paging.ts';
import { isId } from '../refs/id.ts';
import type { WorkspaceLookup } from '../refs/workspace-lookup.ts';
import { DRY_RUN } from '../output/deletion-preview.ts';
import { FIELDS, fieldsOf } from '../task/fields.ts';
import { FILTERS, filtersOf, SORT, sortOf } from '../task/filters.ts';
import { option, type Given } from '../option.ts';
import { type Noun, verb } from '../verb.ts';

const TASK = { spec: '<task>', summary: '#number, exact title or id' };

const CREATE = [
  option('-t, --title <text>', 'what is to be done'),
  option('-b, --board <board>', 'name, path or id of the board'),
  ...FIELDS,
  option('--page <page>', 'the task page that the task becomes the content of'),
  option('--from <file>', 'a task of each line of this file of JSON Lines; - reads the standard input'),
  option('--atomic', 'with --from: all or nothing in each batch of 1,000; the first that is refused is the last'),
  DRY_RUN,
];

const MOVE = [
  option('-b, --board <board>', 'another board'),
  option('-s, --status <status>', 'the column'),
  option('--before <task>', 'in front of this task; end: last'),
  option('--after <task>', 'behind this task; start: first'),
  option('--at <key>', 'at this sort key'),
];

async function atTask(call: Call) {
  const space = await call.space();
  const { session, workspaceId } = space;
  return { space, session, workspaceId, taskId: await space.task(call.arg(0)) };
}

export const task: Noun = {
  name: 'task',
  summary: 'tasks',
  verbs: [
    verb({
      name: 'list',
      summary: 'list tasks; several values of one filter: any of them, several filters: all of them',
      uses: ['tasks.list'],
      options: [...FILTERS, SORT, ...PAGING],
      examples: [
        'task list --board Dev --status Todo,Doing --assignee me',
        'task list --overdue --sort -priority,dateEnd',
        'task list --no-complete --json --fields num,title,dateEnd',
      ],
      async run(call) {
        const space = await call.space();
        const { session, workspaceId } = space;
        const query = { workspaceId, ...(await filtersOf(call, space)), ...sortOf(call) };
        await printPages(
          call,
          (part) => session.tasks.list({ ...query, ...part }),
          (items) => call.out.list(items, TASK_COLUMNS),
        );
      },
    }),
    verb({
      name: 'create',
      summary: 'make a task, or one of each line of JSON',
      uses: ['tasks.create', 'tasks.createMany'],
      moreFields: ['line', 'error'],
      options: CREATE,
      examples: [
        'task create --board Dev --title "Write the spec" --assignee me --end 2026-03-31',
        'task create --board Dev --from tasks.jsonl --atomic',
        'task list --board Old --jsonl --fields title,description | espalier task create --board New --from -',
      ],
      stopsItself: (call) => call.options.from !== undefined,
      run: create,
    }),
    verb({
      name: 'show',
      summary: 'show a task with its comments',
      uses: ['tasks.get'],
      args: [TASK],
      examples: ['task show "#12"', 'task show "Write the spec" --json'],
      async run(call) {
        const { space, session, workspaceId, taskId } = await atTask(call);
        const found = await session.tasks.get({ workspaceId, taskId });
        if (call.out.isJson) return call.out.record(found, TASK_COLUMNS);
        const text = await taskText(space, found, call.out.style);
        call.out.show(found, () => text);
      },
    }),
    verb({
      name: 'edit',
      summary: 'change a task',
      uses: ['tasks.update'],
      args: [TASK],
      options: [option('-t, --title <text>', 'a new title'), ...FIELDS],
      examples: ['task edit "#12" --complete', 'task edit "#12" --assignee me,ben@example.org --end none'],
      async run(call) {
        const { space, session, workspaceId, taskId } = await atTask(call);
        const { boardId } = await session.tasks.get({ workspaceId, taskId });
        const title = call.options.title;
        const changes = { ...(title === undefined ? {} : { title }), ...(await fieldsOf(call, space, boardId)) };
        call.out.record(await session.tasks.update({ workspaceId, taskId, ...changes }), TASK_COLUMNS);
      },
    }),
    verb({
      name: 'move',
      summary: 'put a task into another column or board, or somewhere else in its column',
      uses: ['tasks.update'],
      args: [TASK],
      options: MOVE,
      examples: ['task move "#12" --status Done', 'task move "#12" --after start', 'task move "#12" --board Later'],
      run: move,
    }),
    verb({
      name: 'delete',
      summary: 'delete a task, its page, and all nested under that',
      uses: ['tasks.delete'],
      args: [TASK],
      options: [YES],
      examples: ['task delete "#12" --yes'],
      async run(call) {
        const { session, workspaceId, taskId } = await atTask(call);
        await confirm(call, `Deleting task ${call.arg(0)}`);
        await session.tasks.delete({ workspaceId, taskId });
        call.out.note(`Deleted task ${call.arg(0)}.`);
      },
    }),
    verb({
      ...add,
      name: 'comment',
      examples: ['task comment "#12" "Looks good."', 'task comment "#12" - < notes.md'],
    }),
    verb({
      name: 'tag',
      summary: 'put a tag on a task',
      uses: ['tasks.addTag', 'tasks.removeTag'],
      args: [TASK, { spec: '<tag>', summary: 'name or id' }],
      options: [option('--remove', 'take it off')],
      examples: ['task tag "#12" bug', 'task tag "#12" bug --remove'],
      async run(call) {
        const { space, session, workspaceId, taskId } = await atTask(call);
        const { boardId } = await session.tasks.get({ workspaceId, taskId });
        const ref = call.arg(1);
        if (boardId === null && !isId(ref)) {
          throw usage('The board of the task is hidden from you, and its tags with it.');
        }
        const tagId = boardId === null ? ref : await space.tag(boardId, ref);
        if (call.options.remove) {
          await session.tasks.removeTag({ workspaceId, taskId, tagId });
          call.out.note(`Took tag ${call.arg(1)} off.`);
        } else call.out.record(await session.tasks.addTag({ workspaceId, taskId, tagId }), TASK_COLUMNS);
      },
    }),
    verb({
      name: 'assign',
      summary: 'assign a task to a member',
      uses: ['tasks.assign', 'tasks.unassign'],
      args: [TASK, { spec: '<member>', summary: 'e-mail address, name or id; me' }],
      options: [option('--remove', 'take the assignment away')],
      examples: ['task assign "#12" me', 'task assign "#12" ben@example.org --remove'],
      async run(call) {
        const { space, session, workspaceId, taskId } = await atTask(call);
        const memberId = await space.member(call.arg(1));
        if (call.options.remove) {
          await session.tasks.unassign({ workspaceId, taskId, memberId });
          call.out.note(`${call.arg(1)} is not assigned any more.`);
        } else call.out.record(await session.tasks.assign({ workspaceId, taskId, memberId }), TASK_COLUMNS);
      },
    }),
  ],
};

async function create(call: Call<Given<typeof CREATE>>): Promise<void> {
  const space = await call.space();
  const { session, workspaceId } = space;
  const from = call.options.from;
  if (from !== undefined) return createMany(call, space, from);
  if (call.options.atomic || call.options.dryRun) throw usage('--atomic and --dry-run go with --from FILE.');
  const [title, board] = [call.options.title, call.options.board];
  if (title === undefined || board === undefined) throw usage('A new task needs --title and --board; or --from FILE.');
  const boardId = await space.board(board);
  const page = call.options.page;
  const given = {
    ...(await fieldsOf(call, space, boardId)),
    ...(page === undefined ? {} : { pageId: await space.page(page) }),
  };
  call.out.record(await session.tasks.create({ workspaceId, boardId, title, ...given }), TASK_COLUMNS);
}

async function createMany(call: Call<Given<typeof CREATE>>, space: WorkspaceLookup, file: string): Promise<void> {
  const { createFrom } = await import('../task/bulk.ts');
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

async function move(call: Call<Given<typeof MOVE>>): Promise<void> {
  const { space, session, workspaceId, taskId } = await atTask(call);
  const before = await session.tasks.get({ workspaceId, taskId });
  const board = call.options.board;
  const boardId = board === undefined ? before.boardId : await space.board(board);
  if (boardId === null) throw usage('The board of the task is hidden from you: it cannot be moved there.');
  const status = call.options.status;
  const [first, behind, key] = [call.options.before, call.options.after, call.options.at];
  const other = async (ref: string, edge: string) => (ref === edge ? null : space.task(ref));
  const changes = {
    ...(board === undefined ? {} : { boardId }),
    ...(status === undefined ? {} : { statusId: await space.status(boardId, status) }),
    ...(first === undefined ? {} : { beforeTaskId: await other(first, 'end') }),
    ...(behind === undefined ? {} : { afterTaskId: await other(behind, 'start') }),
    ...(key === undefined ? {} : { statusOrderKey: wholeNumber('at', key) }),
  };
  if (Object.keys(changes).length === 0) throw usage('Where to? Give --board, --status, --before, --after or --at.');
  call.out.record(await session.tasks.update({ workspaceId, taskId, ...changes }), TASK_COLUMNS);
}
