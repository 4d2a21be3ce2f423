import { hasMoreCharacters } from '../kernel/characters.ts';
import { sameJson } from '../kernel/partial-update.ts';
import type { FieldValues } from '../kernel/record.ts';
import type { Board, Status, Tag } from '../model/content/board.ts';
import type { ChecklistItem } from '../model/content/checklist-item.ts';
import type { HistoryKind, StoredFieldChange } from '../model/log/history-entry.ts';
import type { Metadata } from '../model/metadata.ts';
import type { Page } from '../model/workspace/page.ts';
import type { PageEntries } from '../model/access/page-entry.ts';
import { LINK_ENDS, type TaskLinks } from '../model/content/task-links.ts';

/** Of texts with more characters, only the fact that they changed is stored. */
const LONGEST_KEPT = 500;
/** The most values of one list that are kept. */
const MAX_KEPT = 50;
/** The most UTF-16 code units of all values of one entry, as JSON; of those beyond it only the names of fields are kept. */
const MAX_VALUE_SIZE = 8_000;

/** A checklist item before and after. Null: it did not exist. */
export type ItemChange = readonly [from: ChecklistItem | null, to: ChecklistItem | null];

/**
 * The changed fields with what they were and are, as JSON; null if nothing is to be kept.
 *
 * @param fields the names of what changed
 */
export function fieldChanges(
  kind: HistoryKind,
  before: object,
  after: object,
  fields: readonly string[],
  items: Iterable<ItemChange>,
): string | null {
  const changes: StoredFieldChange[] = [];
  const special = SPECIAL[kind];
  const [old, now] = [before as FieldValues, after as FieldValues];
  // A loop: each change of a task passes here, most with one or two fields.
  for (const field of fields) {
    const made = special[field];
    if (field === 'checklist') changes.push(...itemChanges([...items]));
    else if (made === undefined) changes.push([field, kept(old[field]), kept(now[field])]);
    else changes.push(...made(field, old[field] as never, now[field] as never));
  }
  if (changes.length === 0) return null;
  const text = JSON.stringify(changes);
  return text.length <= MAX_VALUE_SIZE ? text : JSON.stringify(withoutLargest(changes));
}

/** The smallest changes with their values, as far as there is room, and the names of the other fields. */
function withoutLargest(changes: readonly StoredFieldChange[]): readonly StoredFieldChange[] {
  const sizes = changes.map((change) => [change, JSON.stringify(change).length] as const);
  const whole = new Set<StoredFieldChange>();
  let room = MAX_VALUE_SIZE;
  for (const [change, size] of sizes.toSorted(([, a], [, b]) => a - b)) {
    room -= size;
    if (room < 0) break;
    whole.add(change);
  }
  const named = new Set<string>();
  return changes.flatMap((change): readonly StoredFieldChange[] => {
    const [field] = change;
    if (whole.has(change)) return [change];
    if (named.has(field) || named.size === MAX_KEPT) return [];
    named.add(field);
    return [[field, null, null]];
  });
}

type Special = (field: string, from: never, to: never) => readonly StoredFieldChange[];

type Specials = Readonly<Record<string, Special>>;

const OF_ALL: Specials = {
  description: (field) => [[field, null, null]],
  metadata: (field, from: Metadata | undefined, to: Metadata | undefined) =>
    [...new Set([...Object.keys(from ?? {}), ...Object.keys(to ?? {})])].flatMap((key): StoredFieldChange[] => {
      const [was, is] = [own(from, key), own(to, key)];
      return was === is ? [] : [[`${field}.${key}`, kept(was), kept(is)]];
    }),
};

const OF_TASKS: Specials = {
  ...OF_ALL,
  tags: lists,
  assignees: lists,
  links: linkChanges,
  // It is among the links.
  parentTaskId: () => [],
};

const OF_BOARDS: Specials = {
  ...OF_ALL,
  statuses: (field, from: Board['statuses'], to: Board['statuses']) => parts(field, from, to, statusPart),
  tags: (field, from: Board['tags'], to: Board['tags']) => parts(field, from, to, tagPart),
};

const OF_PAGES: Specials = {
  ...OF_ALL,
  orderIndex: (field) => [[field, null, null]],
  settings: (field, from: Page['settings'], to: Page['settings']) => {
    const shown = ({ inherit, defaultAccess }: Page['settings']) => ({ inherit, defaultAccess });
    return sameJson(shown(from), shown(to)) ? [] : [[field, shown(from), shown(to)]];
  },
  entries: (field, from: PageEntries, to: PageEntries) =>
    [...new Set([...Object.keys(from), ...Object.keys(to)])].flatMap((id): StoredFieldChange[] => {
      const [was, is] = [from[id]?.level, to[id]?.level];
      const entry = (access: number | undefined) => (access === undefined ? null : { id, access });
      return was === is ? [] : [[field, entry(was), entry(is)]];
    }),
  template: (field, from: Page['template'], to: Page['template']) => [[field, from === true, to === true]],
  // That of its content.
  contentId: () => [],
};

const SPECIAL: Readonly<Record<HistoryKind, Specials>> = { task: OF_TASKS, board: OF_BOARDS, page: OF_PAGES };

function own(metadata: Metadata | undefined, key: string): unknown {
  return metadata !== undefined && Object.hasOwn(metadata, key) ? metadata[key] : null;
}

function kept(value: unknown): unknown {
  if (value === undefined) return null;
  return typeof value === 'string' && hasMoreCharacters(value, LONGEST_KEPT) ? null : value;
}

function lists(field: string, from: readonly string[], to: readonly string[]): readonly StoredFieldChange[] {
  // By sets: a task may have 1,000 tags, and one write may change 1,000 tasks.
  const [before, after] = [new Set(from), new Set(to)];
  const went = from.filter((id) => !after.has(id)).slice(0, MAX_KEPT);
  const came = to.filter((id) => !before.has(id)).slice(0, MAX_KEPT);
  return went.length + came.length === 0 ? [] : [[field, went, came]];
}

/** The parent as its field, other links by how they read at the task. */
function linkChanges(
  field: string,
  from: TaskLinks | undefined,
  to: TaskLinks | undefined,
): readonly StoredFieldChange[] {
  return LINK_ENDS.flatMap((end) => {
    const [was, is] = [from?.[end] ?? [], to?.[end] ?? []];
    if (end !== 'parent') return lists(`${field}.${end}`, was, is);
    return was[0] === is[0] ? [] : [['parentTaskId', was[0] ?? null, is[0] ?? null]];
  });
}

function parts<T extends { readonly id: string }>(
  field: string,
  from: readonly T[],
  to: readonly T[],
  shown: (part: T) => object,
): readonly StoredFieldChange[] {
  const before = new Map(from.map((part) => [part.id, part]));
  const after = new Map(to.map((part) => [part.id, part]));
  const changes: StoredFieldChange[] = [];
  for (const id of new Set([...before.keys(), ...after.keys()])) {
    const [was, is] = [before.get(id), after.get(id)];
    if (was === is) continue;
    const [old, now] = [was === undefined ? null : shown(was), is === undefined ? null : shown(is)];
    if (!sameJson(old, now)) changes.push([field, old, now]);
  }
  return changes;
}

function statusPart({ id, name, done, orderKey }: Status): object {
  return { id, name, done, orderKey };
}

function tagPart({ id, name, color }: Tag): object {
  return { id, name, color };
}

/** Items that only make room for others are left out. */
function itemChanges(items: readonly ItemChange[]): readonly StoredFieldChange[] {
  const shown = (item: ChecklistItem | null) =>
    item === null ? null : { id: item.id, text: item.text, done: item.done, assigneeId: item.assigneeId };
  const all = items.map(([from, to]) => ['checklist', shown(from), shown(to)] as const);
  const differing = all.filter(([, from, to]) => !sameJson(from, to));
  return (differing.length > 0 ? differing : all.slice(0, 1)).slice(0, MAX_KEPT);
}
