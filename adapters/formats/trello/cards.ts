import type { ImportedTask } from '../../../core/import/imported-board.ts';
import { cardChecklist } from './checklists.ts';
import { commentDraft } from './comments.ts';
import type { TagDraft } from './columns.ts';
import { dayOf, hasTime, instantOf, timeOfId } from './dates.ts';
import type { Notes } from './notes.ts';
import { called, type People } from './people.ts';
import type { TrelloAction, TrelloCard, TrelloChecklist } from './shape.ts';
import { bounded, clean, cutTo, boundedName } from './text.ts';

const LONGEST_TITLE = 500;
const LONGEST_DESCRIPTION = 50_000;

/** What the conversion of a card needs to know. */
export interface CardContext {
  readonly notes: Notes;
  readonly people: People;
  /** Members who may be assigned to tasks of the board. */
  readonly assignable: ReadonlySet<string> | null;
  readonly tags: ReadonlyMap<string, TagDraft>;
  readonly checklists: ReadonlyMap<string, readonly TrelloChecklist[]>;
  readonly comments: ReadonlyMap<string, readonly TrelloAction[]>;
  /** The Trello id of each card's creator, by card. */
  readonly creators: ReadonlyMap<string, string>;
}

/** @param archived whether the card or its list is archived */
export function taskDraft(card: TrelloCard, status: string, archived: boolean, context: CardContext): ImportedTask {
  const { notes, people, tags } = context;
  const title = boundedName(card.name, LONGEST_TITLE, 'Untitled card', notes, 'card');
  const place = cutTo(title, 60);
  noteLeftOut(card, notes, place);
  const assigned = assignees(card, context, place);
  const labels = (card.idLabels ?? (card.labels ?? []).map((label) => label.id)).flatMap((id) => tags.get(id) ?? []);
  const creator = context.creators.get(card.id);
  const createdById = creator === undefined ? undefined : people.known(creator);
  const createdAt = timeOfId(card.id);
  const comments = (context.comments.get(card.id) ?? []).flatMap(
    (one) => commentDraft(one, people, notes, place) ?? [],
  );
  const checklist = cardChecklist(context.checklists.get(card.id) ?? [], { ...context, place });
  const missing = (card.badges?.comments ?? 0) - (context.comments.get(card.id) ?? []).length;
  if (missing > 0) notes.add('comment', 'older than the history that was exported', place, missing);
  return {
    externalId: card.id,
    title,
    description: description(card, assigned.named, checklist.rest, notes, place),
    status,
    tags: [...new Set(labels.map((tag) => tag.name))],
    assignees: assigned.members,
    ...(card.dueComplete == null ? {} : { complete: card.dueComplete }),
    ...dates(card, notes, place),
    ...(createdById === undefined ? {} : { createdById }),
    ...(createdAt === null ? {} : { createdAt }),
    ...(checklist.items.length === 0 ? {} : { checklist: checklist.items }),
    comments,
    ...(archived ? { archived } : {}),
  };
}

function assignees(card: TrelloCard, { people, assignable, notes }: CardContext, place: string) {
  const members: string[] = [];
  const named: string[] = [];
  for (const id of card.idMembers ?? []) {
    const memberId = people.member(id, 'assignee');
    if (memberId !== undefined && assignable?.has(memberId) === false) {
      notes.add('assignee', 'no access to the board: named in the text', place);
    } else if (memberId !== undefined) {
      members.push(memberId);
      continue;
    }
    named.push(called(people.user(id)));
  }
  return { members: [...new Set(members)], named };
}

function description(card: TrelloCard, named: readonly string[], rest: string, notes: Notes, place: string): string {
  const parts = [
    clean(card.desc ?? '').trimEnd(),
    named.length === 0 ? '' : `**Assigned in Trello:** ${named.join(', ')}`,
    rest,
  ];
  const text = parts.filter((part) => part !== '').join('\n\n');
  return bounded(text, LONGEST_DESCRIPTION, notes, 'description', place);
}

function dates(card: TrelloCard, notes: Notes, place: string) {
  const day = (what: string, text: string | null | undefined): string | null => {
    if (!text) return null;
    const instant = instantOf(text);
    if (instant === null) notes.add(what, 'not a date: left out', place);
    else if (hasTime(text)) notes.add(`time of ${what}`, 'only the day is kept, in UTC', place);
    return instant === null ? null : dayOf(instant);
  };
  const start = day('start date', card.start);
  const end = day('due date', card.due);
  const backwards = start !== null && end !== null && end < start;
  if (backwards) notes.add('start date', 'after the due date: left out', place);
  return { plannedStartDate: backwards ? null : start, plannedEndDate: end };
}

const NO_COUNTERPART = 'no counterpart: left out';

function noteLeftOut(card: TrelloCard, notes: Notes, place: string): void {
  const note = (what: string, count: number | undefined) => notes.add(what, NO_COUNTERPART, place, count ?? 0);
  note('attachment', Math.max(card.attachments?.length ?? 0, card.badges?.attachments ?? 0));
  note('vote', Math.max(card.idMembersVoted?.length ?? 0, card.badges?.votes ?? 0));
  note('sticker', card.stickers?.length);
  note('custom field value', card.customFieldItems?.length);
  note('power-up data', card.pluginData?.length);
  note('location', card.coordinates != null || card.address ? 1 : 0);
}
