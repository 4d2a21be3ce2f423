import { EspalierError } from '../../core/kernel/errors.ts';
import type { TaskFilters } from '../../core/task/list/filters.ts';
import type { TaskSort } from '../../core/task/list/sort.ts';
import type { TaskSummary } from '../../core/task/view.ts';
import { allItems } from '../all-items.ts';
import { wholeNumber, type CommandCall } from '../call.ts';
import { usage } from '../io/failure.ts';
import { listed } from '../listed.ts';
import { attributeName, option, type OptionValues, type OptionSpec } from '../option.ts';
import { didYouMean } from '../refs/near.ts';
import type { WorkspaceLookup } from '../refs/workspace-lookup.ts';
import { TASK_EXPANSIONS } from '../../core/names/task-names.ts';
import { FILTER_OPTIONS, filtersFrom } from './filters.ts';

export const WHERE = option(
  '--where <filter>',
  'tasks that match this filter of task list: board=Launch, status=Todo,Doing, overdue, no-complete (repeat to narrow)',
  { repeats: true, field: 'filter' },
);

export const COUNT = option('--count <number>', 'with --where: do nothing unless exactly this many tasks match');

export const NOT_BOTH = '--where selects the tasks: do not name any as well.';
export const REQUIRE_WHERE = '--count and --yes require --where.';

/** The most tasks that one call takes. */
const MAX_TASKS = 1_000;

/** Tasks found by `--where`, and the filter that finds them. */
export interface TaskMatches {
  readonly filter: TaskFilters;
  /** The tasks in order, with names if the output is for people. */
  readonly tasks: readonly TaskSummary[];
}

/** @throws a usage failure for an unknown filter, or more than 1,000 tasks; `count-mismatch` for another `--count` */
export async function tasksWhere(
  call: CommandCall<OptionValues<[typeof COUNT]>>,
  workspace: WorkspaceLookup,
  words: readonly string[],
  sort: TaskSort = 'num',
): Promise<TaskMatches> {
  const { session, workspaceId } = workspace;
  const expected = wholeNumber('count', call.options.count);
  const filter = await filtersFrom(optionsFrom(words), workspace);
  const expand = call.out.isForPeople ? { expand: TASK_EXPANSIONS } : {};
  const tasks: TaskSummary[] = [];
  for await (const task of allItems((part) =>
    session.tasks.list({ workspaceId, ...filter, ...expand, sort: [sort], ...part }),
  )) {
    if (tasks.push(task) > MAX_TASKS) throw usage(`--where matches more than ${MAX_TASKS} tasks: narrow it.`);
  }
  if (expected !== undefined && tasks.length !== expected) {
    throw new EspalierError('count-mismatch', `--where matches ${tasks.length} tasks, not ${expected}.`);
  }
  return { filter, tasks };
}

/** The values of the options of `task list` that the words stand for. */
function optionsFrom(words: readonly string[]): Record<string, readonly string[] | string | boolean> {
  const options: Record<string, readonly string[] | string | boolean> = {};
  for (const word of words) {
    const [name, value] = splitFilter(word);
    const { flags, many, repeats } = known(name);
    const attribute = attributeName(flags);
    if (!flags.includes('<')) {
      if (value !== undefined) throw usage(`--where ${name} takes no value.`);
      options[attribute] = !name.startsWith('no-');
      continue;
    }
    const values = value === undefined ? [] : many === true ? listed(value) : [value];
    if (values.length === 0) throw usage(`--where ${name} takes a value: ${name}=VALUE.`);
    if (many !== true && repeats !== true) options[attribute] = values[0]!;
    else options[attribute] = [...((options[attribute] as readonly string[] | undefined) ?? []), ...values];
  }
  return options;
}

function splitFilter(word: string): readonly [name: string, value: string | undefined] {
  const at = word.indexOf('=');
  return at < 0 ? [word.trim(), undefined] : [word.slice(0, at).trim(), word.slice(at + 1).trim()];
}

function known(name: string): OptionSpec {
  const found = FILTER_OPTIONS.find(({ flags }) => nameIn(flags) === name);
  if (found !== undefined) return found;
  const names = FILTER_OPTIONS.map(({ flags }) => nameIn(flags));
  throw usage(
    `--where has no filter ${JSON.stringify(name)}.`,
    ...didYouMean(name, names),
    'Use the filters of task list without dashes; see espalier task list --help',
  );
}

/** The long flag without its dashes: `board` of `-b, --board <board>`. */
export function nameIn(flags: string): string {
  return /--([\w-]+)/.exec(flags)![1]!;
}
