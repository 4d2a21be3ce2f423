import type { ImportedItem } from '../../../core/import/imported-board.ts';
import { MAX_ITEMS } from '../../../core/model/content/checklist-item.ts';
import { dayOf, instantOf } from './dates.ts';
import { called, inline, type People } from './people.ts';
import type { Notes } from './notes.ts';
import type { TrelloChecklist, TrelloCheckItem } from './shape.ts';
import { bounded, clean } from './text.ts';

const LONGEST_ITEM = 500;

interface Conversion {
  readonly notes: Notes;
  readonly people: People;
  /** Members who may be assigned; null: all. */
  readonly assignable: ReadonlySet<string> | null;
  /** The card, for notes. */
  readonly place: string;
}

/** The checklists of a card merged into one, and in Markdown the items that exceed its bound. */
export interface CardChecklist {
  readonly items: readonly ImportedItem[];
  readonly rest: string;
}

/** Merges the checklists of a card in their order. */
export function cardChecklist(lists: readonly TrelloChecklist[], conversion: Conversion): CardChecklist {
  const { notes, place } = conversion;
  const filled = inPositionOrder(lists).filter(({ checkItems = [] }) => checkItems.length > 0);
  notes.add('checklist', 'without items: left out', place, lists.length - filled.length);
  const [first] = filled;
  const isOne = filled.length === 1;
  if (filled.length > 1) notes.add('checklist', 'several are one: items name theirs', place, filled.length);
  else if (first !== undefined && nameOf(first) !== UNNAMED) {
    notes.add('checklist name', 'no counterpart: left out', place);
  }
  const items = filled.flatMap((list) =>
    inPositionOrder(list.checkItems ?? []).map((item) => itemOf(item, isOne ? '' : `${nameOf(list)}: `, conversion)),
  );
  const over = items.slice(MAX_ITEMS);
  notes.add('checklist item', `above the ${MAX_ITEMS} that a task has: in the text`, place, over.length);
  const rest = over.map(({ text, done = false }) => `- [${done ? 'x' : ' '}] ${inline(text)}`).join('\n');
  return { items: items.slice(0, MAX_ITEMS), rest };
}

/** Trello's name for a checklist that nobody has named. */
const UNNAMED = 'Checklist';

function nameOf(list: TrelloChecklist): string {
  return oneLine(list.name) || UNNAMED;
}

function itemOf(item: TrelloCheckItem, prefix: string, conversion: Conversion): ImportedItem {
  const { notes, place } = conversion;
  const assigneeId = item.idMember ? assigneeOf(item.idMember, conversion) : undefined;
  const more: string[] = [];
  if (item.due) {
    const due = instantOf(item.due);
    if (due === null) notes.add('checklist due date', 'not a date: left out', place);
    else more.push(`due ${dayOf(due)}`);
  }
  if (item.idMember && assigneeId === undefined) more.push(called(conversion.people.user(item.idMember)));
  const suffix = more.length === 0 ? '' : ` (${more.join(', ')})`;
  const text = `${prefix}${oneLine(item.name) || 'Untitled item'}${suffix}`;
  return {
    text: bounded(text, LONGEST_ITEM, notes, 'checklist item', place),
    ...(item.state === 'complete' ? { done: true } : {}),
    ...(assigneeId === undefined ? {} : { assigneeId }),
  };
}

function assigneeOf(id: string, { people, assignable, notes, place }: Conversion): string | undefined {
  const memberId = people.member(id, 'checklist assignee');
  if (memberId === undefined || assignable?.has(memberId) !== false) return memberId;
  notes.add('checklist assignee', 'no access to the board: named in the text', place);
  return undefined;
}

function oneLine(text: string): string {
  return clean(text).replace(/\s+/g, ' ').trim();
}

/** By Trello's position; items without one come last, in the order of the file. */
export function inPositionOrder<T extends { readonly pos?: number }>(items: readonly T[]): T[] {
  return items.toSorted((a, b) => (a.pos ?? Infinity) - (b.pos ?? Infinity) || 0);
}
