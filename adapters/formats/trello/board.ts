import type { ImportBoard } from '../../../core/import/imported-board.ts';
import { inPositionOrder } from './checklists.ts';
import { taskDraft, type CardContext } from './cards.ts';
import { commentsByCard, isComment } from './comments.ts';
import { groupBy } from '../../../core/kernel/group.ts';
import { statusNames, tagDrafts } from './columns.ts';
import { Notes, type ImportNote } from './notes.ts';
import { People } from './people.ts';
import type { TrelloAction, TrelloBoard, TrelloCard } from './shape.ts';
import { bounded, cutTo, boundedName } from './text.ts';

export interface TrelloImport {
  readonly workspaceId: string;
  /** The member who owns the board, and who stands for people without a member. */
  readonly memberId: string;
  /** Member ids by Trello username. */
  readonly members?: ReadonlyMap<string, string>;
  /** Members who may be assigned; absent: all. */
  readonly assignable?: ReadonlySet<string>;
  /** Whether to include archived lists, and archived cards and those on archived lists in the trash. Default false. */
  readonly includeArchived?: boolean;
}

/** The input of the import use case, and notes on the parts of the export that it lacks. */
export interface TrelloDraft {
  readonly input: ImportBoard;
  readonly notes: readonly ImportNote[];
}

/** Converts a board. Pure. All bounds are kept, so that the import accepts the result. */
export function trelloDraft(board: TrelloBoard, options: TrelloImport): TrelloDraft {
  const notes = new Notes();
  const people = new People(board, options.members ?? new Map(), notes);
  const names = statusNames(board, notes);
  const tags = tagDrafts(board, notes);
  const lists = inPositionOrder(board.lists).filter((list) => isIncluded(list, 'list', options, notes));
  const archived = archivedLists(board);
  const actions = board.actions ?? [];
  const context: CardContext = {
    notes,
    people,
    assignable: options.assignable ?? null,
    tags,
    checklists: groupBy(board.checklists ?? [], (list) => list.idCard),
    comments: commentsByCard(actions),
    creators: creatorsOf(actions),
  };
  const cards = cardsIn(board, options, archived, notes);
  noteRest(board, cards, context);
  return {
    input: {
      workspaceId: options.workspaceId,
      memberId: options.memberId,
      externalId: board.id,
      name: boundedName(board.name, 500, 'Trello board', notes, 'board'),
      description: bounded(board.desc ?? '', 10_000, notes, 'board description', board.name),
      statuses: [...new Set(lists.map((list) => list.id))].map((id) => ({ name: names.get(id)! })),
      tags: [...tags.values()],
      tasks: cards.map((card) => taskDraft(card, names.get(card.idList)!, isArchived(card, archived), context)),
    },
    notes: notes.list(),
  };
}

interface Archivable {
  readonly name: string;
  readonly closed?: boolean;
}

const INCLUDED = {
  list: 'archived: its new cards go to the trash',
  card: 'archived: goes to the trash if it is new',
} as const;

function isIncluded(item: Archivable, what: 'list' | 'card', options: TrelloImport, notes: Notes): boolean {
  if (item.closed !== true) return true;
  const why = options.includeArchived === true ? INCLUDED[what] : 'archived: left out';
  notes.add(what, why, cutTo(item.name, 60));
  return options.includeArchived === true;
}

/** The ids of the lists that are archived. */
export function archivedLists({ lists }: TrelloBoard): ReadonlySet<string> {
  return new Set(lists.filter(({ closed }) => closed === true).map(({ id }) => id));
}

/** Whether a card is archived, or its list is. */
export function isArchived({ closed, idList }: TrelloCard, archived: ReadonlySet<string>): boolean {
  return closed === true || archived.has(idList);
}

/** The cards list by list, in their order in each list. */
function cardsIn(board: TrelloBoard, options: TrelloImport, archived: ReadonlySet<string>, notes: Notes): TrelloCard[] {
  const known = new Set(board.lists.map((list) => list.id));
  const seen = new Set<string>();
  const taken = inPositionOrder(board.cards as readonly TrelloCard[]).filter((card) => {
    const place = cutTo(card.name, 60);
    if (seen.has(card.id)) notes.add('card', 'in the file twice: taken once', place);
    else if (!known.has(card.idList)) notes.add('card', 'its list is not in the file: left out', place);
    else if (!isIncluded(card, 'card', options, notes)) return false;
    else if (archived.has(card.idList) && options.includeArchived !== true) {
      notes.add('card', 'its list is archived: left out', place);
    } else return seen.add(card.id);
    return false;
  });
  const place = new Map(inPositionOrder(board.lists).map((list, i) => [list.id, i]));
  return taken.sort((a, b) => place.get(a.idList)! - place.get(b.idList)!);
}

const MAKES_CARD = new Set(['createCard', 'copyCard', 'convertToCardFromCheckItem', 'emailCard']);

function creatorsOf(actions: readonly TrelloAction[]): ReadonlyMap<string, string> {
  return new Map(
    actions.flatMap(({ type, data, idMemberCreator }) =>
      MAKES_CARD.has(type) && data.card?.id !== undefined && idMemberCreator ? [[data.card.id, idMemberCreator]] : [],
    ),
  );
}

function noteRest(
  board: TrelloBoard,
  cards: readonly TrelloCard[],
  { notes, comments, checklists }: CardContext,
): void {
  const taken = new Set(cards.map((card) => card.id));
  const left = <T>(groups: ReadonlyMap<string, readonly T[]>) =>
    [...groups].reduce((sum, [cardId, items]) => sum + (taken.has(cardId) ? 0 : items.length), 0);
  const why = 'its card is left out or not in the file';
  notes.add('comment', why, undefined, left(comments));
  notes.add('checklist', why, undefined, left(checklists));
  const unread = (board.actions ?? []).filter((action) => !isComment(action)).length;
  notes.add('history entry', 'only comments are taken from the history', undefined, unread);
  notes.add('custom field', 'no counterpart: left out', undefined, board.customFields?.length ?? 0);
  notes.add('power-up data', 'no counterpart: left out', undefined, board.pluginData?.length ?? 0);
}
