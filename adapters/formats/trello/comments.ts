import type { ImportedComment } from '../../../core/import/imported-board.ts';
import { instantOf, timeOfId } from './dates.ts';
import { groupBy } from '../../../core/kernel/group.ts';
import type { Notes } from './notes.ts';
import { called, type People } from './people.ts';
import type { TrelloAction } from './shape.ts';
import { bounded, clean } from './text.ts';

const MAX_LENGTH = 20_000;

export function isComment({ type, data }: TrelloAction): boolean {
  return type === 'commentCard' || (type === 'copyCommentCard' && data.text !== undefined);
}

/** The comments among the actions by card, oldest first. */
export function commentsByCard(actions: readonly TrelloAction[]): ReadonlyMap<string, readonly TrelloAction[]> {
  const unique = new Map(actions.filter(isComment).map((action) => [action.id, action]));
  return groupBy([...unique.values()].sort(byAge), (action) => action.data.card?.id ?? '');
}

function byAge(a: TrelloAction, b: TrelloAction): number {
  return (instantOf(a.date) ?? 0) - (instantOf(b.date) ?? 0) || (a.id < b.id ? -1 : 1);
}

/** Null for a comment that cannot be imported. A comment of a person without a member names its author in the text. */
export function commentDraft(action: TrelloAction, people: People, notes: Notes, card: string): ImportedComment | null {
  const text = clean(action.data.text ?? '');
  const createdAt = timeOf(action, notes, card);
  if (text.trim() === '') notes.add('comment', 'without text: left out', card);
  if (text.trim() === '' || createdAt === null) return null;
  const author = action.idMemberCreator ?? action.memberCreator?.id;
  const authorId = author == null ? undefined : people.member(author, 'comment author');
  const named = authorId !== undefined || author == null ? text : `**${called(people.user(author))}:** ${text}`;
  const edited = instantOf(action.data.dateLastEdited ?? '');
  return {
    externalId: action.id,
    content: bounded(named, MAX_LENGTH, notes, 'comment', card),
    createdAt,
    ...(authorId === undefined ? {} : { authorId }),
    ...(edited === null ? {} : { editedAt: new Date(edited).toISOString() }),
  };
}

function timeOf(action: TrelloAction, notes: Notes, card: string): string | null {
  const written = instantOf(action.date);
  if (written !== null) return new Date(written).toISOString();
  const made = timeOfId(action.id);
  notes.add('comment date', made === null ? 'not a date: comment left out' : 'not a date: taken from its id', card);
  return made;
}
