import type { FieldChange, HistoryEntryView } from '../../../core/history/view.ts';
import type { Slice } from '../../../core/kernel/record.ts';
import { LEVEL_NAMES, type Level } from '../../../core/model/access/level.ts';
import type { Call } from '../../call.ts';
import { priorityName, relative } from '../../config/values.ts';
import type { Given } from '../../option.ts';
import type { WorkspaceLookup } from '../../refs/workspace-lookup.ts';
import { memberNames } from '../../task/names.ts';
import { oneLine, safe, type Text } from '../../io/safe-text.ts';
import { printPages, type Part, type PAGING } from '../paging.ts';
import type { Column } from '../table/column.ts';

/** Prints a history: sentences for people, the entries as they are for scripts. */
export async function printHistory(
  call: Call<Given<typeof PAGING>>,
  workspace: WorkspaceLookup,
  list: (part: Part) => Promise<Slice<HistoryEntryView>>,
): Promise<void> {
  const nameOf = await memberNames(workspace, call.out.isForPeople);
  const columns: readonly Column<HistoryEntryView>[] = [
    { title: 'when', text: ({ at }) => relative(at) },
    { title: 'what', cut: true, text: (entry) => sentence(entry, nameOf) },
  ];
  await printPages(call, list, async (items) => {
    await call.out.list(items, columns);
    if (items.some(({ truncated }) => truncated)) call.out.note('What was before that is not kept.');
  });
}

const DONE: Readonly<Record<string, string>> = {
  create: 'made it',
  'comment.create': 'commented',
  'comment.update': 'changed a comment',
  'comment.delete': 'deleted a comment',
};

/** "Ada moved it from Todo to Doing, and assigned Ben". */
function sentence({ byId, action, changes }: HistoryEntryView, nameOf: (id: string) => Text): Text {
  const who = byId === null ? 'Somebody' : nameOf(byId);
  const done = DONE[action] ?? DONE[action.split('.')[1]!];
  if (done !== undefined) return safe`${who} ${done}`;
  const moves = changes.some(({ field }) => field === 'statusId' || field === 'boardId');
  const told = changes.filter(({ field }) => field !== 'statusOrderKey' || !moves).map(clause);
  const clauses = [...new Set(told)];
  const last = clauses.pop() ?? 'changed it';
  return safe`${who} ${oneLine(clauses.length === 0 ? last : `${clauses.join(', ')} and ${last}`)}`;
}

type Clause = (from: unknown, to: unknown) => string;

const moved: Clause = (from, to) => `moved it from ${named(from)} to ${named(to)}`;
const called: Clause = (_, to) => `called it ${quoted(to)}`;
const day =
  (what: string): Clause =>
  (_, to) =>
    to === null ? `cleared the ${what}` : `set the ${what} to ${to as string}`;

/** How a change of each field is told. The others are told by the name of the field. */
const CLAUSES: Readonly<Record<string, Clause>> = {
  boardId: moved,
  statusId: moved,
  parentId: moved,
  statusOrderKey: () => 'moved it in its column',
  orderIndex: () => 'moved it among its siblings',
  title: called,
  name: called,
  description: () => 'changed the description',
  complete: (_, to) => (to === true ? 'completed it' : 'opened it again'),
  priority: (_, to) => `set the priority to ${priorityName(Number(to))}`,
  dateStart: day('start'),
  dateEnd: day('end'),
  assignees: (from, to) => both('took it off', from, 'assigned it to', to),
  tags: (from, to) =>
    Array.isArray(to) ? both('took off the tag', from, 'put on the tag', to) : part('tag', from, to),
  statuses: (from, to) => part('column', from, to),
  checklist: (from, to) => itemClause(from as Item | null, to as Item | null),
  settings: () => 'changed what it inherits',
  entries: (from, to) => entryClause(from as Entry | null, to as Entry | null),
  pageId: () => 'opened a page for it',
};

function clause({ field, from, to }: FieldChange): string {
  if (field === null) return 'changed something on a board that is hidden from you';
  const known = CLAUSES[field];
  if (known !== undefined) return known(from, to);
  return to === null ? `changed ${field}` : `set ${field} to ${quoted(to)}`;
}

interface Named {
  readonly name: string | null;
}

function named(value: unknown): string {
  return (value as Named | null)?.name ?? 'somewhere else';
}

function quoted(value: unknown): string {
  return JSON.stringify(value);
}

function both(off: string, from: unknown, on: string, to: unknown): string {
  const names = (values: unknown) =>
    ((values ?? []) as readonly Named[]).map(({ name }) => name ?? 'somebody').join(', ');
  const [went, came] = [names(from), names(to)];
  const told = [went === '' ? '' : `${off} ${went}`, came === '' ? '' : `${on} ${came}`].filter((one) => one !== '');
  return told.length === 0 ? 'changed it' : told.join(' and ');
}

/** A status or tag of a board. */
function part(what: string, from: unknown, to: unknown): string {
  if (from === null) return `added the ${what} ${named(to)}`;
  if (to === null) return `removed the ${what} ${named(from)}`;
  return named(from) === named(to)
    ? `changed the ${what} ${named(to)}`
    : `renamed the ${what} ${named(from)} to ${named(to)}`;
}

interface Item {
  readonly text: string;
  readonly done: boolean;
}

function itemClause(from: Item | null, to: Item | null): string {
  if (from === null) return to === null ? 'changed the checklist' : `added ${quoted(to.text)} to the checklist`;
  if (to === null) return `took ${quoted(from.text)} off the checklist`;
  if (from.done !== to.done) return `${to.done ? 'ticked off' : 'took the tick off'} ${quoted(to.text)}`;
  return `changed ${quoted(to.text)} in the checklist`;
}

interface Entry extends Named {
  readonly access: Level;
}

function entryClause(from: Entry | null, to: Entry | null): string {
  const who = (from ?? to)?.name ?? 'a member';
  return to === null ? `took back the access of ${who}` : `gave ${who} ${LEVEL_NAMES[to.access]}`;
}
