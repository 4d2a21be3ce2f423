import { MEMBER_ARG, TASK } from '../../args.ts';
import type { CommandCall } from '../../call.ts';
import { confirm, PERMANENTLY, YES } from '../../io/confirm.ts';
import { usage } from '../../io/failure.ts';
import { DRY_RUN } from '../../output/record/deletion-preview.ts';
import { count } from '../../output/table/count.ts';
import { create } from './comment.ts';
import { printHistory } from '../../output/record/history.ts';
import { taskColumns, taskText } from '../../output/record/task.ts';
import { printPages, PAGING } from '../../output/paging.ts';
import { CREATE, runCreate } from '../../task/create.ts';
import { deleteWhere, previewTaskDeletion } from '../../task/delete-where.ts';
import { runEdit } from '../../task/edit.ts';
import { EDIT_OPTIONS } from '../../task/edit-options.ts';
import { FILTER_OPTIONS, filtersOfCall, SORT, sortOfCall } from '../../task/filters.ts';
import { LINE_FORMAT } from '../../task/lines/format.ts';
import { LINK, runLink, UNLINK, runUnlink } from '../../task/link.ts';
import { completeTasks, MOVE, runMove } from '../../task/move.ts';
import { namesIn } from '../../task/names.ts';
import { assignTasks, tagTasks } from '../../task/tag-and-assign.ts';
import { COUNT, NOT_BOTH, WHERE } from '../../task/where.ts';
import { requireEditing } from '../../task/would-refuse.ts';
import { eachTask, takesSeveral, tasksNamed, takesSeveralBeforeLast } from '../../task/several.ts';
import { TASK_EXPANSIONS } from '../../../core/names/task-names.ts';
import type { TaskSummary } from '../../../core/task/view.ts';
import type { SafeText } from '../../io/safe-text.ts';
import type { WorkspaceLookup } from '../../refs/workspace-lookup.ts';
import { option } from '../../option.ts';
import { type Noun, verb } from '../../verb.ts';

const TASKS = { spec: '<tasks...>', summary: '#number, exact title or id (one or more)', field: 'taskId' };

async function atTask(call: CommandCall) {
  const workspace = await call.workspace();
  const { session, workspaceId } = workspace;
  return { workspace, session, workspaceId, taskId: await workspace.task(call.arg(0)) };
}

const WHERE_DETAILS =
  '--where finds up to 1,000 tasks by the filters of task list, and changes all of them or none. If the number of matching tasks changes in the meantime, nothing happens.';

const CONFIRMED_WHERE_DETAILS = `${WHERE_DETAILS} At a terminal it asks for confirmation, unless --yes or --count is given.`;

const EDIT_LINES = [
  'With --from, each line gives the id or num of its task and the fields to change. A line with a version, as task list --jsonl prints, is refused if the task has changed since; read-only fields are ignored.',
  ...LINE_FORMAT,
];

export const task: Noun = {
  name: 'task',
  summary: 'Refer to tasks by number, exact title or id; many commands take several.',
  verbs: [
    verb({
      name: 'list',
      summary: 'list tasks; values of one filter are alternatives, different filters must all match',
      uses: ['tasks.list'],
      options: [...FILTER_OPTIONS, SORT, ...PAGING, option('--csv', 'print CSV, which --from accepts')],
      details: ['Quote a name that contains a comma: --board \'"Design, 2027",Launch\'.'],
      examples: [
        'task list --board Launch --status Todo,Doing --assignee me',
        'task list --overdue --sort -priority,dateEnd',
        'task list --metadata sprint=12 --fields num,title,metadata.estimate',
        'task list --no-complete --json --fields num,title,dateEnd',
        'task list --parent 4 --blocked',
      ],
      async run(call) {
        const sort = sortOfCall(call);
        const workspace = await call.workspace();
        const { session, workspaceId } = workspace;
        const names = call.out.isForPeople || call.options.csv ? { expand: TASK_EXPANSIONS } : {};
        const query = { workspaceId, ...(await filtersOfCall(call, workspace)), ...sort, ...names };
        await printPages(
          call,
          (part) => session.tasks.list({ ...query, ...part }),
          async (items) => {
            if (call.options.csv) return call.out.raw(await csvFor(workspace, items));
            await call.out.list(items, taskColumns(await namesIn(workspace, call.out.isForPeople ? items : [])));
          },
        );
      },
    }),
    verb({
      name: 'create',
      summary: 'create a task, or one per line of a file',
      uses: ['tasks.create', 'tasks.createMany'],
      moreFields: ['line', 'changed', 'error'],
      details: [
        ...LINE_FORMAT,
        'When task list --jsonl printed the line on another board, its column and tags are matched by name; those that the new board lacks are dropped.',
      ],
      options: CREATE,
      examples: [
        'task create --board Launch --title "Write the spec" --assignee me --end 2026-12-15',
        'task create --board Launch --from tasks.jsonl --atomic',
        'task create --from tasks.csv --dry-run',
        'task list --board Launch --jsonl | espalier task create --board Roadmap --from -',
      ],
      stopsItself: (call) => call.options.from !== undefined,
      run: runCreate,
    }),
    verb({
      name: 'show',
      summary: 'show a task with its links, checklist and comments',
      uses: ['tasks.get'],
      args: [TASK],
      examples: ['task show "#2"', 'task show "Write the README" --json'],
      async run(call) {
        const { workspace, session, workspaceId, taskId } = await atTask(call);
        const found = await session.tasks.get({ workspaceId, taskId });
        const names = await namesIn(workspace, call.out.isForPeople ? [found] : []);
        if (call.out.isForPeople) call.out.show(found, (style) => taskText(found, names, style));
        else call.out.record(found, taskColumns(names));
      },
    }),
    verb({
      name: 'edit',
      summary: 'edit tasks',
      uses: ['tasks.update', 'tasks.updateMany', 'tasks.list'],
      args: [{ ...TASKS, spec: '[tasks...]' }],
      options: EDIT_OPTIONS,
      moreFields: ['line', 'changed', 'error'],
      details: [CONFIRMED_WHERE_DETAILS, ...EDIT_LINES],
      examples: [
        'task edit 1 --complete',
        'task edit 1 --metadata sprint=12 --metadata reviewed=',
        'task edit 1 3 --add-tag docs --end fri',
        'task edit 2 --assignee me,ben@example.org --end none',
        'task edit --where board=Launch --where overdue --end fri --add-tag docs --dry-run',
        'task list --board Launch --csv > launch.csv && espalier task edit --from launch.csv --dry-run',
      ],
      stopsItself: (call) => takesSeveral(call) || call.options.from !== undefined,
      run: runEdit,
    }),
    verb({
      name: 'move',
      summary: 'move tasks to another column or board, or within their column',
      uses: ['tasks.update', 'tasks.updateMany', 'tasks.list'],
      args: [{ ...TASKS, spec: '[tasks...]' }],
      options: MOVE,
      details: [
        'Several tasks keep the order of the arguments; with --where they keep the order of their columns. In a dry run, the sort key of a task that would move is null: only the move decides it.',
        CONFIRMED_WHERE_DETAILS,
      ],
      examples: [
        'task move 1 2 --status Done',
        'task move 2 --after start',
        'task move 1 --board Roadmap',
        'task move --where board=Launch --where overdue --status Doing --dry-run',
      ],
      stopsItself: takesSeveral,
      run: runMove,
    }),
    verb({
      name: 'done',
      summary: 'complete tasks, moving them to the first done column if needed',
      uses: ['tasks.get', 'tasks.update'],
      args: [TASKS],
      examples: ['task done 1 2'],
      stopsItself: takesSeveral,
      run: (call) => completeTasks(call, true),
    }),
    verb({
      name: 'reopen',
      summary: 'reopen tasks, moving them to the first column that is not done if needed',
      uses: ['tasks.get', 'tasks.update'],
      args: [TASKS],
      examples: ['task reopen 3'],
      stopsItself: takesSeveral,
      run: (call) => completeTasks(call, false),
    }),
    verb({
      name: 'delete',
      summary: 'delete tasks, their pages and everything under them',
      uses: ['tasks.delete', 'tasks.deleteMany'],
      moreFields: ['links', 'checklist', 'comments'],
      args: [{ ...TASKS, spec: '[tasks...]' }],
      options: [WHERE, COUNT, DRY_RUN, PERMANENTLY, YES],
      details: [WHERE_DETAILS],
      examples: ['task delete 3 --yes', 'task delete --where board=Launch --where status=Done --dry-run'],
      stopsItself: takesSeveral,
      async run(call) {
        const { where, dryRun } = call.options;
        if (where !== undefined) {
          if (call.args.length > 0) throw usage(NOT_BOTH);
          if (call.options.permanently) throw usage('--permanently cannot be combined with --where.');
          return deleteWhere(call, where);
        }
        if (call.options.count !== undefined) throw usage('--count requires --where.');
        if (call.args.length === 0) throw usage('No tasks given: use a number, title or id, or --where.');
        const workspace = await call.workspace();
        const { session, workspaceId } = workspace;
        const named = await tasksNamed(workspace, call.args);
        if (dryRun) {
          const tasks = await eachTask(call, workspace, named, async (found) => {
            await requireEditing(workspace, found);
            return found;
          });
          return previewTaskDeletion(call, workspace, tasks);
        }
        const what = named.size === 1 ? `task ${call.arg(0)}` : count(named.size, 'task');
        const { permanently = false } = call.options;
        await confirm(call, `Deleting ${what}`, permanently);
        await eachTask(call, workspace, named, async ({ id, num, title }) => {
          await session.tasks.delete({ workspaceId, taskId: id, ...(permanently && { permanently }) });
          call.out.note(`Deleted task #${num} ${title}.`);
        });
      },
    }),
    verb({
      name: 'history',
      summary: 'show the history of a task, newest first',
      uses: ['tasks.history'],
      moreFields: ['expanded'],
      args: [TASK],
      options: PAGING,
      examples: ['task history "#2"', 'task history 2 --json --fields at,byId,changes'],
      async run(call) {
        const { workspace, session, workspaceId, taskId } = await atTask(call);
        await printHistory(call, workspace, (part) => session.tasks.history({ workspaceId, taskId, ...part }));
      },
    }),
    verb({
      ...create,
      name: 'comment',
      examples: ['task comment "#2" "Looks good."', 'task comment "#2" - < notes.md'],
    }),
    verb({
      name: 'tag',
      summary: 'add a tag to tasks',
      uses: ['tasks.get', 'tasks.addTag', 'tasks.removeTag'],
      args: [TASKS, { spec: '<tag>', summary: 'name or id' }],
      options: [option('--remove', 'remove the tag')],
      examples: ['task tag 1 3 docs', 'task tag 2 docs --remove'],
      stopsItself: takesSeveralBeforeLast,
      run: tagTasks,
    }),
    verb({
      name: 'assign',
      summary: 'assign tasks to a member',
      uses: ['tasks.get', 'tasks.assign', 'tasks.unassign'],
      args: [TASKS, MEMBER_ARG],
      options: [option('--remove', 'unassign the member')],
      examples: ['task assign 1 3 me', 'task assign 1 ben@example.org --remove'],
      stopsItself: takesSeveralBeforeLast,
      run: assignTasks,
    }),
    verb({
      name: 'link',
      summary: 'link a task to its parent, or to tasks it blocks, relates to or duplicates',
      uses: ['tasks.link'],
      args: [{ ...TASK, field: 'fromTaskId' }],
      options: LINK,
      examples: ['task link 2 --blocks 1', 'task link 1 --parent 4 --relates 2,3'],
      run: runLink,
    }),
    verb({
      name: 'unlink',
      summary: 'remove links from a task',
      uses: ['tasks.get', 'tasks.unlink', 'tasks.unlinkParent'],
      args: [{ ...TASK, field: 'fromTaskId' }],
      options: UNLINK,
      examples: ['task unlink 2 --blocks 1', 'task unlink 1 --parent'],
      run: runUnlink,
    }),
  ],
};

async function csvFor(workspace: WorkspaceLookup, tasks: readonly TaskSummary[]): Promise<SafeText> {
  const { csvOf } = await import('../../task/lines/csv.ts');
  const { csvNames } = await import('../../task/lines/csv-names.ts');
  return csvOf(tasks, await csvNames(workspace, tasks));
}
