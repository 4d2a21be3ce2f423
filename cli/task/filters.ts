import {
  excludingName,
  FILTERS,
  MAX_FILTER_VALUES,
  type FilterName,
  type TaskFilters,
} from '../../core/task/list/filters.ts';
import type { ListTasks } from '../../core/task/list/list.ts';
import { TASK_SORTS, type TaskSort } from '../../core/task/list/sort.ts';
import type { CommandCall } from '../call.ts';
import { usage } from '../io/failure.ts';
import { attributeName, option, type OptionValues, type OptionSpec } from '../option.ts';
import { DATE_FORMS, dateOf, PAST_FORMS, timeOf } from '../config/dates.ts';
import { didYouMean } from '../refs/near.ts';
import { isId } from '../../core/kernel/id.ts';
import type { WorkspaceLookup } from '../refs/workspace-lookup.ts';
import { keyAndText } from '../config/metadata.ts';
import { priorityOf } from '../config/values.ts';
import { addToList } from '../../core/kernel/group.ts';

/** A filter on the command line. */
interface FilterWords {
  readonly flags: string;
  readonly about: string;
  /** The summary of the negative form, such as `--no-complete`. */
  readonly no?: string;
  /** The summary of the excluding filter. */
  readonly but?: string;
  /** Maps a word to one or several values. Default: the word itself. */
  readonly read?: (word: string, at: FilterContext) => unknown;
}

/** The lookup of names, and the option for errors. */
interface FilterContext {
  readonly workspace: WorkspaceLookup;
  /** The filtered boards; undefined: all. */
  readonly boards: readonly string[] | undefined;
  readonly flag: string;
}

const member = (ref: string, { workspace }: FilterContext) =>
  ref === 'me' || ref === 'none' ? ref : workspace.member(ref);
const taskOrNone = (ref: string, { workspace }: FilterContext) => (ref === 'none' ? ref : workspace.task(ref));
const onBoard =
  (kind: 'status' | 'tag') =>
  async (ref: string, { workspace, boards }: FilterContext) => {
    if (isId(ref) || (kind === 'tag' && ref === 'none')) return ref;
    return (await workspace.allOnBoards(kind, ref, boards)).map(({ id }) => id);
  };
const day = (word: string, { flag }: FilterContext) => dateOf(word, flag);

/** The options of every filter of the task list. They take names where the engine takes ids. */
const WORDS: Readonly<Record<FilterName, FilterWords>> = {
  num: { flags: '--num <number>', about: 'with these numbers: 12 or #12', but: 'without these numbers', read: numOf },
  boardId: {
    flags: '-b, --board <board>',
    about: 'on these boards',
    but: 'not on these boards',
    read: (ref, { workspace }) => workspace.board(ref),
  },
  statusId: {
    flags: '-s, --status <status>',
    about: 'in these columns, of --board or any board',
    but: 'not in these columns',
    read: onBoard('status'),
  },
  assigneeId: {
    flags: '--assignee <member>',
    about: 'assigned to these (or me, none)',
    but: 'not assigned to these (or me, none)',
    read: member,
  },
  tagId: {
    flags: '--tag <tag>',
    about: 'with these tags, of --board or any board (or none)',
    but: 'without these tags (or none)',
    read: onBoard('tag'),
  },
  createdById: {
    flags: '--creator <member>',
    about: 'created by these (or me)',
    but: 'not created by these (or me)',
    read: member,
  },
  priority: {
    flags: '--priority <priority>',
    about: 'none, low, medium, high, urgent, or 0 to 1000',
    but: 'not of these priorities',
    read: priorityOf,
  },
  complete: { flags: '--complete', about: 'complete tasks', no: 'open tasks', but: 'open tasks' },
  startFrom: { flags: '--start-from <date>', about: `starting on this day or later: ${DATE_FORMS}`, read: day },
  startTo: { flags: '--start-to <date>', about: 'starting on this day or before', read: day },
  endFrom: { flags: '--end-from <date>', about: 'ending on this day or later', read: day },
  endTo: { flags: '--end-to <date>', about: 'ending on this day or before', read: day },
  overdue: {
    flags: '--overdue',
    about: 'open and ending before today in UTC',
    no: 'not overdue',
    but: 'not overdue',
  },
  template: {
    flags: '--templates',
    about: 'on templates',
    no: 'not on templates (default unless a board, status or task is given)',
  },
  updatedSince: {
    flags: '--updated-since <time>',
    about: `changed since this time: ${PAST_FORMS}`,
    read: (word, { flag }) => timeOf(word, flag, 'ago'),
  },
  externalId: {
    flags: '--external-id <id>',
    about: 'with these ids in another system',
    but: 'without these ids in another system',
  },
  metadata: {
    flags: '--metadata <key=value>',
    about: 'with this metadata value; values of one key are alternatives, all keys must match',
    but: 'without this metadata value',
  },
  noMetadata: { flags: '--without-metadata <key>', about: 'without these metadata keys' },
  parentTaskId: {
    flags: '--parent <task>',
    about: 'children of these tasks (or none)',
    but: 'not children of these tasks (or none)',
    read: taskOrNone,
  },
  blocked: {
    flags: '--blocked',
    about: 'blocked by an open task',
    no: 'not blocked by an open task',
    but: 'not blocked by an open task',
  },
  linkedTo: {
    flags: '--linked-to <task>',
    about: 'linked to these tasks',
    but: 'not linked to these tasks',
    read: (ref, { workspace }) => workspace.task(ref),
  },
  q: { flags: '-q, --text <text>', about: 'with this text in title or description', but: 'without this text' },
};

const NAMES = Object.keys(WORDS) as FilterName[];

/** The flags of an excluding option: `--exclude-board <board>`. */
const excludingFlags = (flags: string): string => flags.replace(/^.*--/, '--exclude-');

/** Options for all filters, then for excluding ones. */
export const FILTER_OPTIONS: readonly OptionSpec[] = [
  ...NAMES.flatMap((name): OptionSpec[] => {
    const { flags, about, no } = WORDS[name];
    const positive = spec(name, flags, about);
    return no === undefined ? [positive] : [positive, spec(name, flags.replace(/^.*--/, '--no-'), no)];
  }),
  ...NAMES.flatMap((name): OptionSpec[] => {
    const { flags, but } = WORDS[name];
    return excludingName(name) === null ? [] : [spec(name, excludingFlags(flags), but ?? 'not these', true)];
  }),
];

function spec(name: FilterName, flags: string, summary: string, isExcluding = false): OptionSpec {
  return {
    flags,
    summary,
    field: isExcluding ? excludingName(name)! : name,
    ...(FILTERS[name].many && { many: true }),
    ...(isKeyed(name) && { repeats: true }),
  };
}

/** Whether its values are given by keys: `key=value`, with any comma as part of the value. */
function isKeyed(name: FilterName): boolean {
  return FILTERS[name].value.type === 'metadata';
}

/** @throws a usage failure */
function byKey(words: readonly string[], flag: string): Readonly<Record<string, readonly string[]>> {
  const values = new Map<string, string[]>();
  for (const word of words) addToList(values, ...keyAndText(word, flag));
  return Object.fromEntries(values);
}

export const SORT = option(
  '--sort <keys>',
  'num, title, priority, dateStart, dateEnd, createdAt, updatedAt, position; prefix - to sort descending (default: num)',
  { many: true },
);

/** @throws a usage failure */
export function sortOfCall(call: CommandCall<OptionValues<[typeof SORT]>>): Pick<ListTasks, 'sort'> {
  const keys = call.options.sort;
  if (keys === undefined) return {};
  const unknown = keys.find((key) => !(TASK_SORTS as readonly string[]).includes(key));
  if (unknown !== undefined)
    throw usage(
      `--sort cannot sort by ${unknown}.`,
      ...didYouMean(unknown, TASK_SORTS),
      `Sort keys: ${TASK_SORTS.join(', ')}.`,
    );
  return { sort: keys as readonly TaskSort[] };
}

/** The values of the options in {@link FILTER_OPTIONS}, by name. */
type FilterOptions = Readonly<Record<string, readonly string[] | string | boolean | undefined>>;

/** The filters from the options of a command. */
export function filtersOfCall(call: CommandCall, workspace: WorkspaceLookup): Promise<TaskFilters> {
  return filtersFrom(call.options as FilterOptions, workspace);
}

/** The filters from the values of the options in {@link FILTER_OPTIONS}. */
export async function filtersFrom(options: FilterOptions, workspace: WorkspaceLookup): Promise<TaskFilters> {
  const found: Record<string, unknown> = {};
  const read = async (
    name: string,
    flags: string,
    { read: valueOf = same }: FilterWords,
    boards?: readonly string[],
    keyed = false,
  ) => {
    const given = options[attributeName(flags)];
    if (given === undefined) return;
    const flag = /--[\w-]+/.exec(flags)![0];
    const value = async (word: string) => valueOf(word, { workspace, boards, flag });
    if (typeof given === 'boolean') found[name] = given;
    else if (keyed) found[name] = byKey(given as readonly string[], flag);
    else if (typeof given === 'string') found[name] = await value(given);
    else {
      const values = (await Promise.all(given.map(value))).flat();
      if (values.length > Math.max(given.length, MAX_FILTER_VALUES)) {
        throw usage(
          `${flag} ${given.join(',')} is on ${values.length} boards; a filter takes up to ${MAX_FILTER_VALUES} values.`,
          'Choose a board: --board BOARD, or --where board=BOARD.',
        );
      }
      found[name] = values;
    }
  };
  await read('boardId', WORDS.boardId.flags, WORDS.boardId);
  const boards = found['boardId'] as readonly string[] | undefined;
  for (const name of NAMES) {
    const words = WORDS[name];
    if (name !== 'boardId') await read(name, words.flags, words, boards, isKeyed(name));
    const excluding = excludingName(name);
    if (excluding !== null) await read(excluding, excludingFlags(words.flags), words, boards, isKeyed(name));
  }
  return found;
}

function numOf(text: string): number {
  const num = /^#?([1-9]\d{0,14})$/.exec(text)?.[1];
  if (num === undefined) throw usage(`${JSON.stringify(text)} is not a task number: use 12 or "#12".`);
  return Number(num);
}

function same(word: string): string {
  return word;
}
