import type { WorkspaceAddress } from '../model/address.ts';
import { viewerOf, type Viewer } from '../access/viewer.ts';
import type { ChangeEvent } from '../model/log/change-event.ts';
import { DEFAULT_LIMIT } from '../kernel/record.ts';
import type { LogHead } from '../ports/change-log.ts';
import type { Context } from '../ports/context.ts';
import type { ReadTransaction } from '../ports/store.ts';
import { type BeforeAnswer, madeInTurn } from '../task/large-answer.ts';
import { read } from '../write/transaction.ts';
import { type ChangeCursor, cursorFrom, cursorText } from './cursor.ts';
import { eventRecord, MAX_PARTS, partCount } from './event-record.ts';
import { contentEvents } from './content-events.ts';
import { type EventFilter, filtered } from './event-filter.ts';
import { eventsOfContent, eventsOfPages, inLogOrder, type LoggedEvent } from './events.ts';
import { cursorAfter, readLog, sightOf } from './log-read.ts';
import type { ChangeRead, ChangeSlice } from './slice.ts';
import { inTurn } from './in-turn.ts';
import { whenChanged } from './wait.ts';

/** What `changes.list` takes. */
export interface ListChanges extends WorkspaceAddress, EventFilter {
  /** The cursor to start after: from a read, or from the previous slice of events. */
  readonly since: string;
  /** The number of changes to examine: 1-500, default 100. */
  readonly limit?: number;
  /** How long to wait for the first event, in seconds: 0-60, default 0. */
  readonly wait?: number;
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
  while (log.changes.length > 1 && countParts(passing, input) > MAX_PARTS) {
    const fewer = Math.floor(log.changes.length / 2);
    ({ log, content, passing } = await examined(tx, context, now, { since, head, limit: fewer, input }));
  }
  beforeAnswer(now.user.id, countParts(passing, input));
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

interface LogRequest {
  readonly since: Required<ChangeCursor>;
  readonly head: LogHead;
  readonly limit: number;
  readonly input: ListChanges;
}

/** What up to `limit` changes mean to the viewer. */
async function examined(tx: ReadTransaction, context: Context, now: Viewer, { since, head, limit, input }: LogRequest) {
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
  const passing = await filtered(sight, inLogOrder(events, content.pagesToReload, log.changes.at(-1)), input);
  return { log, content, passing };
}

/** How many parts come with the records of these events. */
function countParts(events: readonly LoggedEvent[], input: ListChanges): number {
  return withRecords(input) ? events.reduce((sum, { kind, record }) => sum + partCount(kind, record), 0) : 0;
}

function withRecords({ include }: ListChanges): boolean {
  return include?.includes('record') === true;
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
