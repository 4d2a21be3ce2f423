import { pathUp } from '../access/resolve.ts';
import { sees, viewerOf, type Viewer } from '../access/viewer.ts';
import type { ChangeEvent, EventKind } from '../model/log/change-event.ts';
import { DEFAULT_LIMIT } from '../kernel/record.ts';
import { forEachItemStepwise, inSteps } from '../kernel/stepwise.ts';
import type { Structure } from '../model/workspace/structure.ts';
import type { LogHead } from '../ports/change-log.ts';
import type { Context } from '../ports/context.ts';
import type { ReadTransaction } from '../ports/store.ts';
import { type BeforeAnswer, madeInTurn } from '../task/large-answer.ts';
import { read } from '../write/transaction.ts';
import { type ChangeCursor, cursorFrom, cursorText } from './cursor.ts';
import { eventRecord, MAX_PARTS, partCount } from './event-record.ts';
import { contentEvents } from './content-events.ts';
import { eventsOfContent, eventsOfPages, inOrder, type LoggedEvent } from './events.ts';
import { cursorAfter, readLog, sightOf } from './log-read.ts';
import type { Sight } from './sight.ts';
import type { ChangeRead, ChangeSlice } from './slice.ts';
import { inTurn } from './in-turn.ts';
import { whenChanged } from './wait.ts';

/** What `changes.list` takes. */
export interface ListChanges {
  /** The workspace: its id or alias. */
  readonly workspaceId: string;
  /** The cursor to start after: from a read, or from the previous slice of events. */
  readonly since: string;
  /** The number of changes to examine: 1-500, default 100. */
  readonly limit?: number;
  /** How long to wait for the first event, in seconds: 0-60, default 0. */
  readonly wait?: number;
  /** Only events about these kinds of records. */
  readonly kind?: readonly EventKind[];
  /** Only events about these boards and their content, and about pages above that make either visible or hidden. */
  readonly boardId?: readonly string[];
  /**
   * Only events about these pages and the records whose access they decide, and about pages above that make them
   * visible or hidden.
   */
  readonly pageId?: readonly string[];
  /** `record`: the record of each event, as the caller reads it now. */
  readonly include?: readonly ChangeInclusion[];
}

/** What `include` can add to each event. */
export const CHANGE_INCLUSIONS = ['record'] as const;
/** A value of `include`. */
export type ChangeInclusion = (typeof CHANGE_INCLUSIONS)[number];

/** The largest number of slices without events that one call reads. */
const MAX_ROUNDS = 10;

/**
 * Lists what changed for the caller since a cursor, oldest first: each record once, at the offset of its last change.
 * The present access decides what the caller sees. Events applied to what the caller saw at the cursor give what they
 * see now. With `wait` it answers at the first event, or without any when the time is up.
 *
 * @throws `cursor-expired` for a cursor of another workspace or store, or if changes after it were removed
 */
export async function listChanges(context: Context, input: ListChanges): Promise<ChangeSlice> {
  const { wait = 0 } = input;
  const { signal } = context;
  const readAfter = (cursor: string) => readChanges(context, { ...input, since: cursor });
  const readInTurn = (cursor: string) =>
    inTurn(context, async () => {
      if (signal?.aborted === true) throw signal.reason as Error;
      return readAfter(cursor);
    });
  if (wait === 0) return (await readAfter(input.since)).slice;
  const first = await readInTurn(input.since);
  return first.slice.items.length > 0 ? first.slice : whenChanged(context, wait, first, readInTurn);
}

/** The first slice with events, or the last of those that were looked at. */
export async function readChanges(context: Context, input: ListChanges): Promise<ChangeRead> {
  let since = input.since;
  for (let round = 1; ; round += 1) {
    const from = since;
    const found = await madeInTurn(context, (beforeAnswer) =>
      read(context, (tx) => changesSince(tx, context, { ...input, since: from }, beforeAnswer)),
    );
    const { items, next } = found.slice;
    if (items.length > 0 || next === null || round === MAX_ROUNDS) return found;
    since = next;
  }
}

async function changesSince(
  tx: ReadTransaction,
  context: Context,
  input: ListChanges,
  beforeAnswer: BeforeAnswer,
): Promise<ChangeRead> {
  const { workspaceId, limit = DEFAULT_LIMIT } = input;
  const [now, head] = await Promise.all([viewerOf(tx, context, workspaceId), tx.changeLog.head(workspaceId)]);
  const since = cursorFrom(input.since, head, now.structure.revision);
  let { log, content, passing } = await examined(tx, context, now, { since, head, limit, input });
  // Examined again up to half of the changes, as if the caller had asked for fewer.
  while (log.changes.length > 1 && partsOf(passing, input) > MAX_PARTS) {
    const fewer = Math.floor(log.changes.length / 2);
    ({ log, content, passing } = await examined(tx, context, now, { since, head, limit: fewer, input }));
  }
  beforeAnswer(now.user.id, partsOf(passing, input));
  const items: ChangeEvent[] = [];
  for (const event of passing) {
    const pause = now.yielder.step();
    if (pause !== null) await pause;
    items.push(await shown(tx, now, event, withRecords(input)));
  }
  const cursor = cursorAfter(log, now.structure.revision, content.pagesToReload.size > 0);
  const text = cursorText(head, cursor);
  const isMore = cursor.offset < head.last || cursor.shownFrom !== null;
  const slice = { items, cursor: text, next: isMore ? text : null };
  return { slice, offset: cursor.offset, workspaceId, principal: now.principal };
}

interface Wanted {
  readonly since: Required<ChangeCursor>;
  readonly head: LogHead;
  readonly limit: number;
  readonly input: ListChanges;
}

/** What up to `limit` changes mean to the viewer. */
async function examined(tx: ReadTransaction, context: Context, now: Viewer, { since, head, limit, input }: Wanted) {
  const log = await readLog(tx, now, since, head, limit);
  const sight = sightOf(now, log, context.recentStructures);
  context.recentStructures?.add(now.structure);
  const content = await contentEvents(tx, sight, log.changes);
  const { id: workspaceId } = now.structure.workspace;
  const taskOf = withRecords(input) ? (id: string) => tx.tasks.get(workspaceId, id) : undefined;
  const ofPages = await eventsOfPages(sight, log.changes, since.offset, taskOf);
  const ofContent = await eventsOfContent(sight, content);
  // A task with an event of its own appears there as it is now, also without its board.
  const withEvents = new Set(ofContent.filter(({ kind }) => kind === 'task').map(({ event }) => event.id));
  const events = [...ofPages.filter(({ kind, event }) => kind !== 'task' || !withEvents.has(event.id)), ...ofContent];
  const passing = await filtered(sight, inOrder(events, content.pagesToReload, log.changes.at(-1)), input);
  return { log, content, passing };
}

/** How many parts come with the records of these events. */
function partsOf(events: readonly LoggedEvent[], input: ListChanges): number {
  return withRecords(input) ? events.reduce((sum, { kind, record }) => sum + partCount(kind, record), 0) : 0;
}

function withRecords({ include }: ListChanges): boolean {
  return include?.includes('record') === true;
}

/** The events that pass the filters of the caller. */
async function filtered(
  sight: Sight,
  events: readonly LoggedEvent[],
  { kind: kinds, boardId, pageId }: ListChanges,
): Promise<readonly LoggedEvent[]> {
  const boards = { ids: boardId, about: ({ boardIds }: LoggedEvent) => boardIds, pagesOf: pagesOfBoard };
  const pages = { ids: pageId, about: ({ pageIds }: LoggedEvent) => pageIds, pagesOf: pageItself };
  const [isOfBoards, isOfPages] = [await idsFilter(sight, events, boards), await idsFilter(sight, events, pages)];
  return events.filter((logged) => {
    const { kind, standsFor } = logged;
    if (kind === undefined) return true;
    if (kinds !== undefined && !kinds.some((each) => each === kind || each === standsFor)) return false;
    return isOfBoards(logged) && isOfPages(logged);
  });
}

interface FilterByIds {
  /** Absent: everything passes. */
  readonly ids: readonly string[] | undefined;
  /** Those of an event that the filter is compared with. */
  readonly about: (logged: LoggedEvent) => readonly string[];
  /** The pages with which what has the id comes into sight and goes. */
  readonly pagesOf: (structure: Structure, id: string) => Iterable<string>;
}

function* pagesOfBoard(structure: Structure, boardId: string): IterableIterator<string> {
  yield boardId;
  for (const { id } of structure.taskPages(boardId)) yield id;
}

function pageItself(_: Structure, pageId: string): Iterable<string> {
  return [pageId];
}

/** Passes what is about one of the ids, or about a page above one of their pages with which that comes into sight or goes. */
async function idsFilter(
  { before, now }: Sight,
  events: readonly LoggedEvent[],
  { ids, about, pagesOf }: FilterByIds,
): Promise<(logged: LoggedEvent) => boolean> {
  if (ids === undefined) return () => true;
  const wanted = new Set(ids);
  const isAbout = (logged: LoggedEvent) => about(logged).some((each) => wanted.has(each));
  // Mostly none is about anything else that could matter: then it need not be known what is below which page.
  const others = events.filter((logged) => !isAbout(logged));
  const aboveBefore = others.some(takesAway) ? await pathsTo(before, ids, pagesOf) : NO_PAGES;
  const aboveNow = others.some(brings) ? await pathsTo(now, ids, pagesOf) : NO_PAGES;
  return (logged) =>
    isAbout(logged) ||
    (takesAway(logged) && aboveBefore.has(logged.event.id!)) ||
    (brings(logged) && aboveNow.has(logged.event.id!));
}

function takesAway({ event: { type } }: LoggedEvent): boolean {
  return type === 'page.hide' || type === 'page.delete';
}

function brings({ event: { type, fields } }: LoggedEvent): boolean {
  return type === 'page.show' || (type === 'page.update' && fields.includes('access'));
}

const NO_PAGES: ReadonlySet<string> = new Set();

/** The ids of all pages on the paths to those pages that a member sees. O(pages * depth) in steps. */
async function pathsTo(
  viewer: Viewer | null,
  ids: readonly string[],
  pagesOf: FilterByIds['pagesOf'],
): Promise<ReadonlySet<string>> {
  if (viewer === null) return NO_PAGES;
  const { structure, yielder } = viewer;
  const above = new Set<string>();
  const addPath = (each: string) => {
    if (!sees(viewer, each)) return;
    for (const { id } of pathUp(structure, each)) {
      // The pages above it are there too.
      if (above.has(id)) return;
      above.add(id);
    }
  };
  for (const each of ids) {
    // What is on a hidden board is not told apart from the rest.
    if (sees(viewer, each)) await inSteps(forEachItemStepwise(pagesOf(structure, each), addPath), yielder);
  }
  return above;
}

async function shown(
  tx: ReadTransaction,
  viewer: Viewer,
  { event, kind, record }: LoggedEvent,
  withRecord: boolean,
): Promise<ChangeEvent> {
  if (!withRecord || kind === undefined || record === null) return event;
  return { ...event, record: await eventRecord(tx, viewer, kind, record) };
}
