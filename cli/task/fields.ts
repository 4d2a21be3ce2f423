import type { CommandCall } from '../call.ts';
import { usage } from '../io/failure.ts';
import { DATE_FORMS, dateOf } from '../config/dates.ts';
import { METADATA_OPTION, metadataGiven } from '../config/metadata.ts';
import { withoutUndefined } from '../config/without-undefined.ts';
import type { WorkspaceLookup } from '../refs/workspace-lookup.ts';
import { priorityOf } from '../config/values.ts';
import { option, type OptionValues } from '../option.ts';

/** Options for the writable fields of a task. */
export const FIELDS = [
  option('--description <text>', 'Markdown; - for standard input, @FILE for a file'),
  option('-s, --status <status>', 'name or id of the column'),
  option('--priority <priority>', 'none, low, medium, high, urgent, or 0 to 1000'),
  option('--start <date>', `planned start: ${DATE_FORMS}; none removes it`, { field: 'plannedStartDate' }),
  option('--end <date>', `planned end: ${DATE_FORMS}; none removes it`, { field: 'plannedEndDate' }),
  option('--complete', 'mark as complete'),
  option('--no-complete', 'mark as open'),
  option('--tag <tag>', 'name or id; replaces the current tags; none removes all (repeatable)', { many: true }),
  option('--assignee <member>', 'e-mail address, name, id or me; replaces the current ones; none removes all', {
    many: true,
  }),
  option('--external-id <id>', 'id in another system; none removes it'),
  METADATA_OPTION,
];

/** The fields that the options set and that mean the same on every board. */
export async function plainFieldsOf(call: CommandCall<OptionValues<typeof FIELDS>>, workspace: WorkspaceLookup) {
  const { assignee: assignees, priority } = call.options;
  return withoutUndefined({
    description: await call.longText(call.options.description),
    priority: priority === undefined ? undefined : priorityOf(priority),
    complete: call.options.complete,
    plannedStartDate: day(call.options.start, '--start'),
    plannedEndDate: day(call.options.end, '--end'),
    externalId: orNone(call.options.externalId),
    metadata: metadataGiven(call.options.metadata),
    assignees: await allOrNone(assignees, (ref) => workspace.member(ref)),
  });
}

export async function fieldsOfCall(
  call: CommandCall<OptionValues<typeof FIELDS>>,
  workspace: WorkspaceLookup,
  boardId: string | null,
) {
  const onBoard = (kind: 'status' | 'tag', ref: string): Promise<string> => {
    if (boardId === null) throw usage(`You cannot see the board of the task or its ${kind}.`);
    return workspace[kind](boardId, ref);
  };
  const { status, tag: tags } = call.options;
  return withoutUndefined({
    ...(await plainFieldsOf(call, workspace)),
    statusId: status === undefined ? undefined : await onBoard('status', status),
    tags: await allOrNone(tags, (ref) => onBoard('tag', ref)),
  });
}

/** The ids of what a list names; `none` alone is the empty list. */
async function allOrNone(refs: readonly string[] | undefined, idOf: (ref: string) => Promise<string>) {
  if (refs === undefined) return undefined;
  return refs.length === 1 && refs[0] === 'none' ? [] : Promise.all(refs.map(idOf));
}

function orNone(text: string | undefined): string | null | undefined {
  return text === 'none' ? null : text;
}

function day(text: string | undefined, flag: string): string | null | undefined {
  return text === undefined || text === 'none' ? orNone(text) : dateOf(text, flag);
}
