import { LEVEL_NAMES, type Level } from '../model/access/level.ts';
import type { FieldChange, HistoryEntryView } from './view.ts';

const DONE: Readonly<Record<string, string>> = {
  create: 'created it',
  delete: 'deleted it',
  restore: 'restored it',
  'comment.create': 'commented',
  'comment.update': 'changed a comment',
  'comment.delete': 'deleted a comment',
};

/**
 * An entry of a history in English, to follow the name of the author: "moved it from Todo to Doing and assigned it to
 * Ben". It contains texts of users, unescaped.
 */
export function describeHistoryEntry({ action, changes }: HistoryEntryView): string {
  const done = DONE[action] ?? DONE[action.split('.')[1]!];
  if (done !== undefined) return done;
  const fields = new Set(changes.map(({ field }) => field));
  const movesAcross = fields.has('boardId');
  const moves = movesAcross || fields.has('statusId') || fields.has('parentId');
  // What a move to another place brings with it.
  const isImplied = ({ field, from, to }: FieldChange) =>
    (moves && (field === 'statusOrderKey' || field === 'orderIndex')) ||
    (movesAcross && field === 'statusId' && named(from) === named(to));
  const all = changes.filter((change) => !isImplied(change)).map(clause);
  const clauses = [...new Set(all)];
  const last = clauses.pop() ?? 'changed it';
  return clauses.length === 0 ? last : `${clauses.join(', ')} and ${last}`;
}

const PRIORITIES: Readonly<Record<number, string>> = {
  0: 'none',
  100: 'low',
  200: 'medium',
  300: 'high',
  400: 'urgent',
};

type Clause = (from: unknown, to: unknown) => string;

const moved: Clause = (from, to) => `moved it from ${named(from)} to ${named(to)}`;
/** The top reads null, as does a page that is hidden or gone: it is left out. */
const movedInTree: Clause = (from, to) => {
  if (from === null) return to === null ? 'moved it' : `moved it into ${named(to)}`;
  return to === null ? `moved it out of ${named(from)}` : moved(from, to);
};
const called: Clause = (_, to) => `renamed it to ${quoted(to)}`;
const day =
  (what: string): Clause =>
  (_, to) =>
    to === null ? `cleared the ${what}` : `set the ${what} to ${to as string}`;

/** How a change of each field is described. For the other fields the description has the field's name. */
const CLAUSES: Readonly<Record<string, Clause>> = {
  boardId: moved,
  statusId: moved,
  parentId: movedInTree,
  statusOrderKey: () => 'moved it in its column',
  orderIndex: () => 'moved it among its siblings',
  title: called,
  name: called,
  description: () => 'changed the description',
  complete: (_, to) => (to === true ? 'completed it' : 'reopened it'),
  priority: (_, to) => `set the priority to ${PRIORITIES[to as number] ?? String(to)}`,
  dateStart: day('start'),
  dateEnd: day('end'),
  assignees: (from, to) => both('unassigned it from', from, 'assigned it to', to),
  tags: (from, to) => (Array.isArray(to) ? both('removed the tag', from, 'added the tag', to) : part('tag', from, to)),
  statuses: (from, to) => part('column', from, to),
  parentTaskId: (from, to) => linkClause('the parent', from === null ? [] : [from], to === null ? [] : [to]),
  'links.child': (from, to) => linkClause('the child', from, to),
  'links.blocks': (from, to) => linkClause('what it blocks:', from, to),
  'links.blockedBy': (from, to) => linkClause('what blocks it:', from, to),
  'links.relates': (from, to) => linkClause('what it relates to:', from, to),
  'links.duplicates': (from, to) => linkClause('what it duplicates:', from, to),
  'links.duplicatedBy': (from, to) => linkClause('what duplicates it:', from, to),
  checklist: (from, to) => itemClause(from as ItemValue | null, to as ItemValue | null),
  settings: () => 'changed its access settings',
  entries: (from, to) => entryClause(from as EntryValue | null, to as EntryValue | null),
  template: (_, to) => (to === true ? 'made it a template' : 'made it no longer a template'),
  pageId: () => 'created a page for it',
};

function clause({ field, from, to }: FieldChange): string {
  if (field === null) return 'changed something on a board that is hidden from you';
  const known = CLAUSES[field];
  if (known !== undefined) return known(from, to);
  return to === null ? `changed ${field}` : `set ${field} to ${quoted(to)}`;
}

interface NamedValue {
  readonly name: string | null;
}

function named(value: unknown): string {
  return (value as NamedValue | null)?.name ?? 'somewhere else';
}

function quoted(value: unknown): string {
  return JSON.stringify(value);
}

function both(off: string, from: unknown, on: string, to: unknown): string {
  const names = (values: unknown) =>
    ((values ?? []) as readonly NamedValue[]).map(({ name }) => name ?? 'somebody').join(', ');
  const [went, came] = [names(from), names(to)];
  const clauses = [went === '' ? '' : `${off} ${went}`, came === '' ? '' : `${on} ${came}`].filter((one) => one !== '');
  return clauses.length === 0 ? 'changed it' : clauses.join(' and ');
}

/** The text for a task that reads null. */
const UNSEEN = 'a task that is deleted or hidden from you';

/** Tasks that are hidden, in the trash or gone read null. */
function linkClause(what: string, from: unknown, to: unknown): string {
  const names = (values: unknown) =>
    ((values ?? []) as readonly (NamedValue | null)[])
      .map((task) => (task === null ? UNSEEN : quoted(task.name)))
      .join(', ');
  const [went, came] = [names(from), names(to)];
  const clauses = [went === '' ? '' : `unlinked ${what} ${went}`, came === '' ? '' : `linked ${what} ${came}`];
  return clauses.filter((one) => one !== '').join(' and ') || 'changed its links';
}

/** A status or tag of a board. */
function part(what: string, from: unknown, to: unknown): string {
  // One of so many changes that only their fields are stored.
  if (from === null && to === null) return `changed the ${what}s`;
  if (from === null) return `added the ${what} ${named(to)}`;
  if (to === null) return `removed the ${what} ${named(from)}`;
  return named(from) === named(to)
    ? `changed the ${what} ${named(to)}`
    : `renamed the ${what} ${named(from)} to ${named(to)}`;
}

interface ItemValue {
  readonly text: string;
  readonly done: boolean;
}

function itemClause(from: ItemValue | null, to: ItemValue | null): string {
  if (from === null) return to === null ? 'changed the checklist' : `added ${quoted(to.text)} to the checklist`;
  if (to === null) return `removed ${quoted(from.text)} from the checklist`;
  if (from.done !== to.done) return `${to.done ? 'ticked' : 'unticked'} ${quoted(to.text)}`;
  return `changed ${quoted(to.text)} in the checklist`;
}

interface EntryValue extends NamedValue {
  readonly access: Level;
}

function entryClause(from: EntryValue | null, to: EntryValue | null): string {
  const who = (from ?? to)?.name ?? 'a member';
  return to === null ? `removed the access of ${who}` : `gave ${who} ${LEVEL_NAMES[to.access]}`;
}
