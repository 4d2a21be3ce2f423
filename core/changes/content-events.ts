import { readInSteps } from '../kernel/stepwise.ts';
import { levelOnTask, sees } from '../access/viewer.ts';
import type { EventKind, EventVerb } from '../model/log/change-event.ts';
import type { Board } from '../model/content/board.ts';
import type { LoggedChange } from '../model/log/change.ts';
import type { Comment } from '../model/content/comment.ts';
import { VIEW } from '../model/access/level.ts';
import type { Member } from '../model/workspace/member.ts';
import { MEMBER } from '../model/access/role.ts';
import { seenWithoutBoard, type Task } from '../model/content/task.ts';
import type { Workspace } from '../model/workspace/workspace.ts';
import type { ReadTransaction } from '../ports/store.ts';
import { FIELDS_OF_BOARD } from './page-events.ts';
import { couldRead, hadCopy, seesNow, type Sight, UNITS_PER_PAGE } from './sight.ts';

/** All logged changes of one record, combined. */
export interface ChangesOfRecord {
  readonly kind: EventKind;
  readonly id: string;
  readonly first: LoggedChange;
  readonly last: LoggedChange;
  readonly all: readonly LoggedChange[];
  readonly fields: ReadonlySet<string>;
  /** The pages that governed it before one of these changes and not after it, each with the last such change. */
  readonly left: ReadonlyMap<string, LoggedChange>;
}

/** What happened to a record for the reader. */
export interface ContentEvent {
  readonly verb: EventVerb;
  readonly changes: ChangesOfRecord;
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
function byRecord(changes: readonly LoggedChange[]): readonly ChangesOfRecord[] {
  const records = new Map<
    string,
    ChangesOfRecord & { all: LoggedChange[]; fields: Set<string>; left: Map<string, LoggedChange> }
  >();
  for (const change of changes) {
    if (!hasEvents(change)) continue;
    const key = `${change.kind} ${change.recordId}`;
    const { first, all, fields, left } = records.get(key) ?? newChanges(change);
    all.push(change);
    for (const field of change.fields) fields.add(field);
    const from = change.fromPageId ?? (change.action === 'delete' ? change.pageId : null);
    if (from !== null) left.set(from, change);
    records.delete(key);
    const { recordId: id } = change;
    records.set(key, { kind: change.kind as EventKind, id, first, last: change, all, fields, left });
  }
  return [...records.values()];
}

function newChanges(first: LoggedChange) {
  return { first, all: [] as LoggedChange[], fields: new Set<string>(), left: new Map<string, LoggedChange>() };
}

const KINDS_WITH_EVENTS: ReadonlySet<string> = new Set(['task', 'comment', 'board', 'member', 'workspace']);

function hasEvents({ kind }: LoggedChange): boolean {
  return KINDS_WITH_EVENTS.has(kind);
}

/** What changes of records mean to the reader. */
export interface ContentEvents {
  readonly events: readonly ContentEvent[];
  /**
   * Pages that the reader has to read again. A task left one of them, and it is unknown whether the reader has a copy of it:
   * naming the task could disclose it, and saying nothing could leave it with the reader.
   */
  readonly pagesToReload: ReadonlySet<string>;
}

/** A task that is not named, as it is unknown whether the reader has a copy of it. */
const UNDISCLOSED = Symbol('undisclosed');

/**
 * The events of these changes for the reader, decided by the page that governs each record now and the one that
 * governed it at the cursor. A record that the reader neither had read nor sees gives none. One read for each record;
 * the events are computed in steps.
 */
export async function contentEvents(
  tx: ReadTransaction,
  sight: Sight,
  changes: readonly LoggedChange[],
): Promise<ContentEvents> {
  const records = byRecord(changes);
  const stored = await readInSteps(records, sight.now.yielder, (record) => storedOf(tx, sight, record));
  const found: EventResult[] = [];
  for (const [n, record] of records.entries()) {
    await pauseIn(sight);
    found.push(await eventOf(sight, record, stored[n]!));
  }
  const events = found.filter((one) => one !== null && one !== UNDISCLOSED);
  // The next answer derives the pages from the changes alone, so both take all pages that tasks have left.
  const pages = found.includes(UNDISCLOSED) ? [...pagesLeft(changes)] : [];
  return { events: withoutDuplicates(events), pagesToReload: new Set(pages.filter((id) => seesNow(sight, id))) };
}

/** The pages that tasks have left, or were deleted from, in these changes. */
export function pagesLeft(changes: readonly LoggedChange[]): ReadonlySet<string> {
  const pages = new Set<string>();
  for (const { kind, left } of byRecord(changes)) if (kind === 'task') for (const id of left.keys()) pages.add(id);
  return pages;
}

/** Leaves out events that only stand for comments of a task that has an event already. */
function withoutDuplicates(events: readonly ContentEvent[]): readonly ContentEvent[] {
  const named = new Set<string>();
  for (const { changes } of events) if (changes.last.recordId === changes.id) named.add(changes.id);
  return events.filter(({ changes: { id, last } }) => {
    if (last.recordId === id) return true;
    const isNew = !named.has(id);
    named.add(id);
    return isNew;
  });
}

type EventResult = ContentEvent | typeof UNDISCLOSED | null;

/** What the store has of a record. */
interface StoredContent {
  readonly record: Task | Comment | Board | null;
  /** The task of a comment. */
  readonly task: Task | null;
}

async function storedOf(
  tx: ReadTransaction,
  sight: Sight,
  { kind, id, last }: ChangesOfRecord,
): Promise<StoredContent> {
  const workspaceId = sight.now.structure.workspace.id;
  if (kind === 'task') return { record: await tx.tasks.get(workspaceId, id), task: null };
  if (kind === 'comment') {
    const [record, task] = await Promise.all([
      tx.comments.get(workspaceId, id),
      last.taskId === null ? null : tx.tasks.get(workspaceId, last.taskId),
    ]);
    return { record, task };
  }
  const isBoard = kind === 'board' && seesNow(sight, id);
  return { record: isBoard ? await tx.boards.get(workspaceId, id) : null, task: null };
}

/** Others run in between: one record may have left as many pages as there are changes. */
async function pauseIn({ now }: Sight): Promise<void> {
  const pause = now.yielder.step(UNITS_PER_PAGE);
  if (pause !== null) await pause;
}

async function eventOf(sight: Sight, changes: ChangesOfRecord, { record, task }: StoredContent): Promise<EventResult> {
  const { kind } = changes;
  if (kind === 'task') return taskEvent(sight, changes, record as Task | null);
  if (kind === 'comment') return commentEvent(sight, changes, record as Comment | null, task);
  // The event of its page shows or hides it.
  if (kind === 'board')
    return record === null ? null : event(changes, wasCreated(changes) ? 'create' : 'update', record);
  if (kind === 'member') return memberEvent(sight, changes);
  return event(changes, 'update', sight.now.structure.workspace);
}

async function taskEvent(sight: Sight, changes: ChangesOfRecord, stored: Task | null): Promise<EventResult> {
  const { first } = changes;
  const task = stored !== null && levelOnTask(sight.now, stored) >= VIEW ? stored : null;
  if (task === null) {
    // One that has left no page in these changes leaves it in later ones.
    const hasCopy = await mayHaveCopy(sight, changes);
    if (hasCopy === null) return UNDISCLOSED;
    if (!hasCopy) return null;
    // Changes on pages that the reader does not see must not disclose a time or an author.
    const leaving = changes.all.findLast(
      ({ pageId, fromPageId }) => seesNow(sight, pageId) || seesNow(sight, fromPageId),
    );
    return event({ ...changes, last: leaving ?? changes.last }, stored === null ? 'delete' : 'hide', null);
  }
  const shown = sees(sight.now, task.boardId) ? changes : changesWithoutBoard(sight, changes);
  // If it became visible with its page, the event of the page shows it.
  if (shown === null) return null;
  const isNew = wasCreated(changes) || hadCopy(sight, governedBefore(changes), first) === false;
  return event(shown, wasCreated(changes) ? 'create' : isNew ? 'show' : 'update', task);
}

/**
 * The changes of a task whose board the reader may not see: without fields of the board, and up to the last change in
 * which they see any field. Null: they see none.
 */
function changesWithoutBoard(sight: Sight, changes: ChangesOfRecord): ChangesOfRecord | null {
  const fields = new Set<string>();
  let last: LoggedChange | null = null;
  for (const change of changes.all) {
    const boardSeen = seesNow(sight, change.boardId) || seesNow(sight, change.fromBoardId);
    const shown = change.fields.filter((field) => boardSeen || !FIELDS_OF_BOARD.has(field));
    // A task that is put where it stands has no field that changed.
    if (shown.length === 0 && (change.fields.length > 0 || (change.action === 'update' && !boardSeen))) continue;
    last = change;
    for (const field of shown) fields.add(field);
  }
  return last === null ? null : { ...changes, last, fields };
}

async function commentEvent(
  sight: Sight,
  changes: ChangesOfRecord,
  comment: Comment | null,
  task: Task | null,
): Promise<ContentEvent | null> {
  // The event of its task shows or hides it.
  if (task === null || levelOnTask(sight.now, task) < VIEW) return null;
  if (comment !== null) return { ...event(changes, wasCreated(changes) ? 'create' : 'update', comment), task };
  const hasCopy = await mayHaveCopy(sight, changes);
  if (hasCopy === null) return { ...event(onTask(changes, task), 'update', task), fields: ['comments'] };
  return hasCopy ? { ...event(changes, 'delete', null), task } : null;
}

/** Stands for a comment that must not be named: the reader reads its task again. */
function onTask(changes: ChangesOfRecord, { id }: Task): ChangesOfRecord {
  return { ...changes, kind: 'task', id };
}

/** The page that governed the record before these changes. */
function governedBefore({ first }: ChangesOfRecord): string | null {
  return first.fromPageId ?? first.pageId;
}

/**
 * Whether the reader may have a copy of a record that they do not see now: read before these changes, or during them,
 * as records are read later than the events that name them. Null: unknown. In steps.
 */
async function mayHaveCopy(sight: Sight, changes: ChangesOfRecord): Promise<boolean | null> {
  const { kind, first, left } = changes;
  let found: boolean | null = false;
  for (const [pageId, leaving] of left) {
    await pauseIn(sight);
    // A comment is deleted on the page that governs its task then, which may have been another before.
    const isFromBefore = kind === 'task' && !wasCreated(changes) && pageId === governedBefore(changes);
    const copied = (isFromBefore && hadCopy(sight, pageId, first)) || couldRead(sight, pageId, leaving);
    if (copied === true) return true;
    if (copied === null) found = null;
  }
  return found;
}

/** Guests get events of their own member record only. */
function memberEvent({ now }: Sight, changes: ChangesOfRecord): ContentEvent | null {
  if (now.member.role < MEMBER && changes.id !== now.member.id) return null;
  const member = now.structure.member(changes.id);
  if (member?.active === true) return event(changes, wasCreated(changes) ? 'create' : 'update', member);
  return event(changes, 'delete', null);
}

function wasCreated({ first }: ChangesOfRecord): boolean {
  return first.action === 'create';
}

function event(changes: ChangesOfRecord, verb: EventVerb, record: ContentEvent['record']): ContentEvent {
  return { verb, changes, record, task: null, fields: verb === 'update' ? [...changes.fields] : [] };
}

/** The version of a record as the reader sees it. */
export function versionForReader(sight: Sight, { changes, record }: ContentEvent): number | null {
  if (record === null) return null;
  if (changes.kind !== 'task' || sees(sight.now, (record as Task).boardId)) return record.version;
  return seenWithoutBoard(record).version;
}
