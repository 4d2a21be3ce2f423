import { governingPageId, sees, type Viewer } from '../access/viewer.ts';
import { inSteps, type Stepwise } from '../kernel/stepwise.ts';
import type { ChangeEvent, EventKind, EventType } from '../model/log/change-event.ts';
import { type LoggedChange, offsetOf } from '../model/log/change.ts';
import { GUEST } from '../model/access/role.ts';
import { shownMemberIdOfUser } from '../names/names.ts';
import type { Task } from '../model/content/task.ts';
import { type ContentEvent, type ContentEvents, versionForReader } from './content-events.ts';
import { MAX_PARTS_OF_PAGES, partCount } from './event-record.ts';
import { type PageEvent, pageEvents, pageIdsSeen } from './page-events.ts';
import { seesNow, type Sight } from './sight.ts';
import { unsteadyPages, type UnsteadyPages } from './unsteady-pages.ts';

/** An event `scope` lists the ids of pages up to this number. */
const MAX_PAGE_IDS = 10_000;

/** An event with its offset in the log, and what filters and `include` need. */
export interface LoggedEvent {
  readonly offset: number;
  readonly event: ChangeEvent;
  /** Absent for `scope`, which passes every filter. */
  readonly kind?: EventKind;
  /** The kind of record that the event stands for; a filter by this kind lets it pass too. */
  readonly standsFor?: EventKind;
  /** The board of the record before and after, as far as the reader sees them. */
  readonly boardIds: readonly string[];
  readonly pageIds: readonly string[];
  /** Null if the reader does not see it. */
  readonly record: object | null;
}

/** More changes of pages than this become one event `scope`: one write can change the access to every page. */
const MAX_PAGE_EVENTS = 500;

/** Reads a task, by its id. */
type TaskOf = (id: string) => Promise<Task | null>;

/**
 * The changes of the page tree for the reader; a `scope` event, and what has to be read again, if the structure at the cursor
 * is not known, if there are more than {@link MAX_PAGE_EVENTS}, or more parts of their tasks than {@link MAX_PARTS_OF_PAGES}. A
 * `scope` comes before the others if the reader may have seen a page otherwise in between.
 *
 * @param taskOf absent: the events come without records
 */
export async function eventsOfPages(
  sight: Sight,
  changes: readonly LoggedChange[],
  since: number,
  taskOf?: TaskOf,
): Promise<readonly LoggedEvent[]> {
  const { now, before, shownAgain } = sight;
  const unsteady = await unsteadyPages(sight, changes);
  const toShow = unsteady === null ? shownAgain : new Set([...shownAgain, ...(await idsToShow(now, unsteady))]);
  const cause = causeOf(sight, changes);
  // The answer before may have ended inside of a transaction.
  const start: StartPosition = { offset: since, seq: Math.min(since, changes[0]?.seq ?? since) };
  const ofPages = new Map(
    changes
      .filter((change) => change.kind === 'page' && isTold(sight, change))
      .map((change) => [change.recordId, change]),
  );
  const logged = (found: readonly PageEvent[]) => {
    let last: LoggedChange | undefined;
    return found.map((one) => {
      const own = ofPages.get(one.page.id) ?? cause;
      // The event that hides a page comes before the updates of pages that were below it and stay visible.
      if (last === undefined || offsetOr(since, own) > offsetOr(since, last)) last = own;
      return loggedPage(sight, one, own, last, start);
    });
  };
  const scopeEvents = async () => [await scope(now, cause, start), ...logged(await pageEvents(now, now, [], toShow))];
  if (before === null) return scopeEvents();
  const found = await pageEvents(before, now, changes, toShow);
  if (found.length > MAX_PAGE_EVENTS) return scopeEvents();
  const events = logged(found);
  const complete = taskOf === undefined ? events : await withTasks(events, taskOf);
  if (complete === null) return scopeEvents();
  return unsteady === null ? complete : [await scope(now, cause, start), ...complete];
}

async function idsToShow(now: Viewer, { toShow, everywhere }: UnsteadyPages): Promise<Iterable<string>> {
  return everywhere ? pageIdsSeen(now) : toShow;
}

/** The events with the records of their tasks. Null: these are too large for one answer. */
async function withTasks(events: readonly LoggedEvent[], taskOf: TaskOf): Promise<readonly LoggedEvent[] | null> {
  const all = await Promise.all(
    events.map(async (one) => (one.kind === 'task' ? { ...one, record: await taskOf(one.event.id!) } : one)),
  );
  const parts = all.reduce((sum, { kind, record }) => sum + (kind === 'task' ? partCount(kind, record) : 0), 0);
  return parts > MAX_PARTS_OF_PAGES ? null : all;
}

const OF_STRUCTURE: ReadonlySet<string> = new Set(['page', 'member', 'workspace']);

/**
 * The change named as the cause of its effects on other pages: the last one that the reader sees. A hidden change would
 * disclose when, and by whom, something was written there: if all are hidden, there is no cause.
 */
function causeOf(sight: Sight, changes: readonly LoggedChange[]): LoggedChange | undefined {
  const { now } = sight;
  const isSeen = (change: LoggedChange) => {
    const { kind, recordId } = change;
    if (kind === 'page') return isTold(sight, change);
    return kind !== 'member' || now.member.role > GUEST || recordId === now.member.id;
  };
  return changes.findLast((change) => OF_STRUCTURE.has(change.kind) && isSeen(change));
}

/** Whether the reader saw a page before or after a change of it, and what changed. */
function isTold(sight: Sight, change: LoggedChange): boolean {
  const { recordId, fields, boardId, fromBoardId, revision, fromRevision } = change;
  const isOfBoard = fields.length > 0 && fields.every((field) => field === 'boardId');
  if (isOfBoard && !seesNow(sight, boardId) && !seesNow(sight, fromBoardId)) return false;
  const known = [fromRevision ?? revision, revision].map((each) => (each === null ? null : sight.at(each)));
  const viewers = known.filter((viewer) => viewer !== null);
  // If neither structure is known, those of the answer decide.
  const deciding = viewers.length > 0 ? viewers : [sight.now, sight.before].filter((viewer) => viewer !== null);
  return deciding.some((viewer) => sees(viewer, recordId));
}

/** Where an answer begins: the position of events without a cause. */
interface StartPosition {
  readonly offset: number;
  readonly seq: number;
}

async function scope(
  viewer: Viewer,
  cause: LoggedChange | undefined,
  { offset, seq }: StartPosition,
): Promise<LoggedEvent> {
  const ids = await pageIdsSeen(viewer);
  const pageIds = ids.length > MAX_PAGE_IDS ? null : ids;
  const event: ChangeEvent = { ...eventAt(undefined, seq), type: 'scope', at: cause?.at ?? null, pageIds };
  return { offset, event, boardIds: [], pageIds: [], record: null };
}

function loggedPage(
  sight: Sight,
  { type, page, fields }: PageEvent,
  own: LoggedChange | undefined,
  at: LoggedChange | undefined,
  start: StartPosition,
): LoggedEvent {
  const { structure } = sight.now;
  const isTask = type === 'task.update';
  const record = type === 'page.hide' || type === 'page.delete' ? null : structure.page(page.id)!;
  const boardId = page.type === 'board' ? page.id : page.boardId;
  const seenBoard = isSeenBoard(sight, boardId, page.id) ? boardId : null;
  return {
    offset: offsetOr(start.offset, at),
    event: {
      ...eventAt(at, start.seq),
      type,
      id: page.id,
      version: isTask ? null : (record?.version ?? null),
      boardId: seenBoard,
      pageId: page.id,
      byId: shownMemberIdOfUser(sight.now, own?.userId ?? null),
      at: own?.at ?? null,
      fields,
    },
    kind: isTask ? 'task' : 'page',
    ...(sight.shownAgain.has(page.id) ? { standsFor: 'task' } : {}),
    boardIds: [...(seenBoard === null ? [] : [seenBoard]), ...boardBefore(sight, page.id)],
    pageIds: [page.id],
    record: isTask ? null : record,
  };
}

/** The board on which the reader saw a page before. */
function boardBefore({ before }: Sight, id: string): readonly string[] {
  const boardId = before?.structure.page(id)?.boardId ?? null;
  return boardId !== null && sees(before!, boardId) && sees(before!, id) ? [boardId] : [];
}

/** A hidden board is named only by the event that hides it. */
function isSeenBoard(sight: Sight, boardId: string | null, id: string): boolean {
  return boardId === id || seesNow(sight, boardId);
}

/** The changes of records for the reader, in steps. */
export function eventsOfContent(sight: Sight, { events }: ContentEvents): Promise<readonly LoggedEvent[]> {
  return inSteps(loggedContents(sight, events), sight.now.yielder);
}

function* loggedContents(sight: Sight, events: readonly ContentEvent[]): Stepwise<readonly LoggedEvent[]> {
  const logged: LoggedEvent[] = [];
  for (const one of events) {
    logged.push(loggedContent(sight, one));
    yield;
  }
  return logged;
}

/**
 * All events of an answer in the order of the log, then those that hide the pages to be read again, which the next answer
 * shows again: the reader removes them with everything on them, also with what they put there in this answer. They have no
 * time: the last change may be one that the reader does not see.
 */
export function inLogOrder(
  events: readonly LoggedEvent[],
  pagesToReload: ReadonlySet<string>,
  last: LoggedChange | undefined,
): readonly LoggedEvent[] {
  const isHiddenLater = ({ kind, event }: LoggedEvent) => kind === 'page' && pagesToReload.has(event.id!);
  const all = events.filter((event) => !isHiddenLater(event)).toSorted((a, b) => a.offset - b.offset);
  for (const id of pagesToReload) {
    const event: ChangeEvent = {
      ...eventAt(last, 0),
      type: 'page.hide',
      id,
      boardId: id,
      pageId: id,
    };
    all.push({
      offset: offsetOr(0, last),
      event,
      kind: 'page',
      standsFor: 'task',
      boardIds: [id],
      pageIds: [id],
      record: null,
    });
  }
  return all;
}

function loggedContent(sight: Sight, content: ContentEvent): LoggedEvent {
  const { verb, changes, fields, record } = content;
  const { kind, id, first, last } = changes;
  const task = (kind === 'task' ? record : content.task) as Task | null;
  const { structure } = sight.now;
  const pageId = task === null ? last.pageId : governingPageId(structure, task);
  const boardId = task === null ? last.boardId : task.boardId;
  const seen = (ids: readonly (string | null)[]) => ids.filter((each): each is string => seesNow(sight, each));
  return {
    offset: offsetOr(0, last),
    event: {
      ...eventAt(last, 0),
      type: `${kind}.${verb}` as EventType,
      id,
      version: versionForReader(sight, content),
      boardId: seesNow(sight, boardId) ? boardId : null,
      pageId: seesNow(sight, pageId) ? pageId : null,
      taskId: kind === 'comment' ? last.taskId : null,
      byId: shownMemberIdOfUser(sight.now, last.userId),
      at: last.at,
      fields,
    },
    kind,
    ...(last.recordId === id ? {} : { standsFor: 'comment' }),
    boardIds: seen([boardId, first.fromBoardId ?? first.boardId]),
    pageIds: seen([pageId, first.fromPageId ?? first.pageId]),
    record,
  };
}

/** The fields of an event before anything is known of its record. */
function eventAt(change: LoggedChange | undefined, since: number): Omit<ChangeEvent, 'type'> {
  const { seq, part } = change ?? { seq: since, part: 0 };
  const none = { version: null, boardId: null, pageId: null, taskId: null, byId: null };
  return { seq, part, id: null, ...none, at: null, fields: [] };
}

function offsetOr(otherwise: number, change: LoggedChange | undefined): number {
  return change === undefined ? otherwise : offsetOf(change);
}
