import { dayOf, instantOf } from './dates.ts';
import { called, inline, type People } from './people.ts';
import type { Notes } from './notes.ts';
import type { TrelloChecklist, TrelloCheckItem } from './shape.ts';
import { clean } from './text.ts';

/** A checklist as a Markdown task list under its name. */
export function checklistText(list: TrelloChecklist, people: People, notes: Notes, card: string): string {
  const items = byPosition(list.checkItems ?? []).map((item) => itemText(item, people, notes, card));
  return [`**${oneLine(list.name) || 'Checklist'}**`, '', ...items].join('\n').trimEnd();
}

function itemText(item: TrelloCheckItem, people: People, notes: Notes, card: string): string {
  const more: string[] = [];
  if (item.due) {
    const due = instantOf(item.due);
    if (due === null) notes.add('checklist due date', 'not a date: left out', card);
    else more.push(`due ${dayOf(due)}`);
  }
  if (item.idMember) more.push(called(people.user(item.idMember)));
  const suffix = more.length === 0 ? '' : ` (${more.join(', ')})`;
  return `- [${item.state === 'complete' ? 'x' : ' '}] ${clean(item.name).replace(/\s+/g, ' ').trim()}${suffix}`;
}

function oneLine(text: string): string {
  return inline(clean(text)).trim();
}

/** By Trello's position; items without one come last, in the order of the file. */
export function byPosition<T extends { readonly pos?: number }>(items: readonly T[]): T[] {
  return items.toSorted((a, b) => (a.pos ?? Infinity) - (b.pos ?? Infinity) || 0);
}
