import { levelOnTask, sees } from '../access/viewer.ts';
import type { EventKind, EventVerb } from '../model/change-event.ts';
import type { Board } from '../model/board.ts';
import type { LoggedChange } from '../model/change.ts';
import type { Comment } from '../model/comment.ts';
import { VIEW } from '../model/level.ts';
import type { Member } from '../model/member.ts';
import { MEMBER } from '../model/role.ts';
import { seenWithoutBoard, type Task } from '../model/task.ts';
import type { Workspace } from '../model/workspace.ts';
import type { ReadTransaction } from '../ports/store.ts';
import { FIELDS_OF_BOARD } from './page-events.ts';
import { mayHaveRead, seesNow, type Sight } from './sight.ts';

/** All logged changes of one record, combined. */
export interface RecordChanges {
  readonly kind: EventKind;
  readonly id: string;
  readonly first: LoggedChange;
  readonly last: LoggedChange;
  readonly fields: ReadonlySet<string>;
}

/** What happened to a record for the reader. */
export interface ContentEvent {
  readonly verb: EventVerb;
  readonly changes: RecordChanges;
  readonly fields: readonly string[];
  /** The current record; null if the reader does not see it. */
  readonly record: Task | Comment | Board | Member | Workspace | null;
  /** The task of a comment. */
  readonly task: Task | null;
}

/**
 * Groups changes by record, in the order of their last changes. Events of pages come from the structures instead, and
 * invitations have none.
 */
export function byRecord(changes: readonly LoggedChange[]): readonly RecordChanges[] {
  const records = new Map<string, { first: LoggedChange; last: LoggedChange; fields: Set<string> }>();
  for (const change of changes) {
    if (!hasEvents(change)) continue;
    const key = `${change.kind} ${change.recordId}`;
    const known = records.get(key);
    const fields = known?.fields ?? new Set();
    for (const field of change.fields) fields.add(field);
    records.delete(key);
    records.set(key, { first: known?.first ?? change, last: change, fields });
  }
  return [...records.values()].map(({ first, last, fields }) => {
    return { kind: last.kind as EventKind, id: last.recordId, first, last, fields };
  });
}

const KINDS_WITH_EVENTS: ReadonlySet<string> = new Set(['task', 'comment', 'board', 'member', 'workspace']);

function hasEvents({ kind }: LoggedChange): boolean {
  return KINDS_WITH_EVENTS.has(kind);
}

/**
 * The events of these changes for the reader, decided by the page that governs each record now and the one that
 * governed it at the cursor. A record that the reader neither had read nor sees gives none. One read for each record.
 */
export async function contentEvents(
  tx: ReadTransaction,
  sight: Sight,
  changes: readonly LoggedChange[],
): Promise<readonly ContentEvent[]> {
  const events = await Promise.all(byRecord(changes).map((record) => eventOf(tx, sight, record)));
  return events.filter((event) => event !== null);
}

async function eventOf(tx: ReadTransaction, sight: Sight, changes: RecordChanges): Promise<ContentEvent | null> {
  const { kind, id } = changes;
  const workspaceId = sight.now.structure.workspace.id;
  if (kind === 'task') return taskEvent(sight, changes, await tx.tasks.get(workspaceId, id));
  if (kind === 'comment') {
    const { taskId } = changes.last;
    const [comment, task] = await Promise.all([
      tx.comments.get(workspaceId, id),
      taskId === null ? null : tx.tasks.get(workspaceId, taskId),
    ]);
    return commentEvent(sight, changes, comment, task);
  }
  if (kind === 'board') {
    const board = seesNow(sight, id) ? await tx.boards.get(workspaceId, id) : null;
    // Its page has the event that shows or hides it.
    return board === null ? null : event(changes, wasMade(changes) ? 'create' : 'update', board);
  }
  if (kind === 'member') return memberEvent(sight, changes);
  return event(changes, 'update', sight.now.structure.workspace);
}

function taskEvent(sight: Sight, changes: RecordChanges, stored: Task | null): ContentEvent | null {
  const { first } = changes;
  const task = stored !== null && levelOnTask(sight.now, stored) >= VIEW ? stored : null;
  const was = !wasMade(changes) && mayHaveRead(sight, first.fromPageId ?? first.pageId);
  if (task === null) return was ? event(changes, stored === null ? 'delete' : 'hide', null) : null;
  if (!was) return event(changes, wasMade(changes) ? 'create' : 'show', task);
  const boardSeen = sees(sight.now, task.boardId) || seesNow(sight, first.fromBoardId ?? first.boardId);
  const fields = [...changes.fields].filter((field) => boardSeen || !FIELDS_OF_BOARD.has(field));
  // Changes of fields that are not shown give no event.
  return fields.length < changes.fields.size && fields.length === 0
    ? null
    : { ...event(changes, 'update', task), fields };
}

function commentEvent(
  sight: Sight,
  changes: RecordChanges,
  comment: Comment | null,
  task: Task | null,
): ContentEvent | null {
  // Its task has the event that shows or hides it.
  if (task === null || levelOnTask(sight.now, task) < VIEW) return null;
  if (comment !== null) return { ...event(changes, wasMade(changes) ? 'create' : 'update', comment), task };
  const { fromPageId, pageId } = changes.first;
  return wasMade(changes) || !mayHaveRead(sight, fromPageId ?? pageId)
    ? null
    : { ...event(changes, 'delete', null), task };
}

/** Guests get events of their own member record only. */
function memberEvent({ now }: Sight, changes: RecordChanges): ContentEvent | null {
  if (now.member.role < MEMBER && changes.id !== now.member.id) return null;
  const member = now.structure.member(changes.id);
  if (member?.active === true) return event(changes, wasMade(changes) ? 'create' : 'update', member);
  return wasMade(changes) ? null : event(changes, 'delete', null);
}

function wasMade({ first }: RecordChanges): boolean {
  return first.action === 'create';
}

function event(changes: RecordChanges, verb: EventVerb, record: ContentEvent['record']): ContentEvent {
  return { verb, changes, record, task: null, fields: verb === 'update' ? [...changes.fields] : [] };
}

/** The version of a record as the reader sees it. */
export function versionSeen(sight: Sight, { changes, record }: ContentEvent): number | null {
  if (record === null) return null;
  if (changes.kind !== 'task' || sees(sight.now, (record as Task).boardId)) return record.version;
  return seenWithoutBoard(record).version;
}
