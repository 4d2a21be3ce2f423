import { foldCase } from '../../../core/model/content/task-query.ts';
import { cssColour, NO_COLOUR, spokenColour } from './colours.ts';
import type { Notes } from './notes.ts';
import type { TrelloBoard, TrelloCard, TrelloLabel, TrelloList } from './shape.ts';
import { cutTo, boundedName, uniqueNames } from './text.ts';

const MAX_LENGTH = 100;

/** The status name of each list, by list id. Names are made unique over all lists, so that they do not depend on whether archived lists are included. */
export function statusNames(board: TrelloBoard, notes: Notes): ReadonlyMap<string, string> {
  const lists = byId(board.lists);
  const plain = lists.map((list) => boundedName(list.name, MAX_LENGTH, 'Untitled list', notes, 'list'));
  const names = uniqueNames(plain, MAX_LENGTH, (name) => name);
  lists.forEach((list, i) => {
    if (names[i] !== plain[i]) notes.add('list name', 'used twice: numbered', names[i]);
    if (list.softLimit) notes.add('list limit', 'no counterpart: left out', names[i]);
  });
  return new Map(lists.map((list, i) => [list.id, names[i]!]));
}

export interface TagDraft {
  readonly name: string;
  readonly color: string;
}

/** Labels by id as tags. A label without a name takes that of its colour. */
export function tagDrafts(board: TrelloBoard, notes: Notes): ReadonlyMap<string, TagDraft> {
  const labels = byId([
    ...(board.labels ?? []),
    ...(board.cards as readonly TrelloCard[]).flatMap((card) => card.labels ?? []),
  ]);
  const plain = labels.map((label) => tagName(label, notes));
  const seen = new Set<string>();
  const coloured = plain.map((name, i) => {
    const twice = seen.has(fold(name));
    seen.add(fold(name));
    const colour = labels[i]!.color;
    return twice && colour ? `${cutTo(name, MAX_LENGTH - 20)} (${spokenColour(colour)})` : name;
  });
  const names = uniqueNames(coloured, MAX_LENGTH, fold);
  return new Map(
    labels.map((label, i) => {
      if (names[i] !== plain[i]) notes.add('label name', 'used twice: named by colour or number', names[i]);
      return [label.id, { name: names[i]!, color: tagColour(label, names[i]!, notes) }];
    }),
  );
}

/** The form in which tag names are compared. */
function fold(name: string): string {
  return foldCase(name.normalize('NFC'));
}

function tagName({ name, color }: TrelloLabel, notes: Notes): string {
  if ((name ?? '').trim() === '' && color) return spokenColour(color);
  return boundedName(name ?? '', MAX_LENGTH, 'label', notes, 'label');
}

function tagColour({ color }: TrelloLabel, name: string, notes: Notes): string {
  if (!color) return NO_COLOUR;
  const css = cssColour(color);
  if (css === undefined) notes.add('label colour', `${JSON.stringify(color)} is not known: made ${NO_COLOUR}`, name);
  return css ?? NO_COLOUR;
}

/** Each id once, in the order in which Trello made them. */
function byId<T extends TrelloList | TrelloLabel>(items: readonly T[]): T[] {
  return [...new Map(items.toReversed().map((item) => [item.id, item])).values()].sort((a, b) =>
    a.id < b.id ? -1 : 1,
  );
}
