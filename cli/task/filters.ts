import type { TaskFilters } from '../../core/task/filters.ts';
import type { TaskSort } from '../../core/task/sort.ts';
import type { ListTasks } from '../../core/task/list.ts';
import { TASK_SORTS } from '../../core/task/sort.ts';
import type { Call } from '../call.ts';
import { usage } from '../io/failure.ts';
import { withoutUndefined } from '../config/without-undefined.ts';
import { isId } from '../refs/id.ts';
import type { WorkspaceLookup } from '../refs/workspace-lookup.ts';
import { priorityOf } from '../config/values.ts';
import { option, type Given } from '../option.ts';

const many = true as const;

/** Every filter of the task list, with names where the engine takes ids. */
export const FILTERS = [
  option('--num <number>', 'with these numbers: 12 or #12', { many }),
  option('-b, --board <board>', 'on these boards', { many }),
  option('-s, --status <status>', 'in these columns (a name needs one --board)', { many }),
  option('--assignee <member>', 'assigned to these; me, none', { many }),
  option('--tag <tag>', 'with these tags (a name needs one --board); none', { many }),
  option('--creator <member>', 'made by these; me', { many }),
  option('--priority <priority>', 'none, low, medium, high, urgent, or 0 to 1000', { many }),
  option('--complete', 'complete ones'),
  option('--no-complete', 'open ones'),
  option('--start-from <date>', 'starting on this day or later'),
  option('--start-to <date>', 'starting on this day or before'),
  option('--end-from <date>', 'ending on this day or later'),
  option('--end-to <date>', 'ending on this day or before'),
  option('--overdue', 'ending before today, and open'),
  option('--no-overdue', 'the others'),
  option('--updated-since <time>', 'changed at this time or later'),
  option('--external-id <id>', 'with these ids in another system', { many }),
  option('-q, --text <text>', 'with this text in title or description'),
  option('--exclude-num <number>', 'without these numbers', { many }),
  option('--exclude-board <board>', 'not on these boards', { many }),
  option('--exclude-status <status>', 'not in these columns', { many }),
  option('--exclude-assignee <member>', 'not assigned to these; me, none', { many }),
  option('--exclude-tag <tag>', 'without these tags; none', { many }),
  option('--exclude-creator <member>', 'not made by these; me', { many }),
  option('--exclude-priority <priority>', 'not of these priorities', { many }),
  option('--exclude-external-id <id>', 'without these ids in another system', { many }),
  option('--exclude-text <text>', 'without this text'),
  option('--exclude-complete', 'open ones'),
  option('--exclude-overdue', 'not those ending before today, and open'),
];

export const SORT = option(
  '--sort <keys>',
  'num, title, priority, dateStart, dateEnd, createdAt, updatedAt, position; - in front for descending (default num)',
  { many },
);

/** @throws a usage failure */
export function sortOf(call: Call<Given<[typeof SORT]>>): Pick<ListTasks, 'sort'> {
  const keys = call.options.sort;
  if (keys === undefined) return {};
  const unknown = keys.find((key) => !(TASK_SORTS as readonly string[]).includes(key));
  if (unknown !== undefined) throw usage(`--sort does not know ${unknown}.`, `It takes: ${TASK_SORTS.join(', ')}.`);
  return { sort: keys as readonly TaskSort[] };
}

export async function filtersOf(call: Call<Given<typeof FILTERS>>, space: WorkspaceLookup): Promise<TaskFilters> {
  const boards = await each(call.options.board, (ref) => space.board(ref));
  const board = boards?.length === 1 ? boards[0] : undefined;
  const onBoard = (kind: 'status' | 'tag') => (ref: string) => {
    if (isId(ref) || (kind === 'tag' && ref === 'none')) return Promise.resolve(ref);
    if (board === undefined) throw usage(`A ${kind} by name needs one --board; or give its id.`);
    return space[kind](board, ref);
  };
  const member = (ref: string) => (ref === 'me' || ref === 'none' ? Promise.resolve(ref) : space.member(ref));
  return withoutUndefined({
    num: call.options.num?.map(numOf),
    boardId: boards,
    statusId: await each(call.options.status, onBoard('status')),
    assigneeId: await each(call.options.assignee, member),
    tagId: await each(call.options.tag, onBoard('tag')),
    createdById: await each(call.options.creator, member),
    priority: call.options.priority?.map(priorityOf),
    complete: call.options.complete,
    startFrom: call.options.startFrom,
    startTo: call.options.startTo,
    endFrom: call.options.endFrom,
    endTo: call.options.endTo,
    overdue: call.options.overdue,
    updatedSince: call.options.updatedSince,
    externalId: call.options.externalId,
    q: call.options.text,
    excludeNum: call.options.excludeNum?.map(numOf),
    excludeBoardId: await each(call.options.excludeBoard, (ref) => space.board(ref)),
    excludeStatusId: await each(call.options.excludeStatus, onBoard('status')),
    excludeAssigneeId: await each(call.options.excludeAssignee, member),
    excludeTagId: await each(call.options.excludeTag, onBoard('tag')),
    excludeCreatedById: await each(call.options.excludeCreator, member),
    excludePriority: call.options.excludePriority?.map(priorityOf),
    excludeExternalId: call.options.excludeExternalId,
    excludeQ: call.options.excludeText,
    excludeComplete: call.options.excludeComplete,
    excludeOverdue: call.options.excludeOverdue,
  });
}

function numOf(text: string): number {
  const num = /^#?([1-9]\d{0,14})$/.exec(text)?.[1];
  if (num === undefined) throw usage(`${JSON.stringify(text)} is not the number of a task: write 12 or "#12".`);
  return Number(num);
}

async function each(
  refs: readonly string[] | undefined,
  find: (ref: string) => Promise<string>,
): Promise<readonly string[] | undefined> {
  return refs === undefined ? undefined : Promise.all(refs.map((ref) => find(ref)));
}
