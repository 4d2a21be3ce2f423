import { sees, type Viewer } from '../access/viewer.ts';
import { mapInSteps } from '../kernel/stepwise.ts';
import { type MemberName, memberNames, namesOn, pageName, shownMemberIdOfUser } from '../names/names.ts';
import type { HistoryAction, HistoryEntry, StoredFieldChange } from '../model/log/history-entry.ts';
import { ADMIN, MEMBER } from '../model/access/role.ts';
import { seenAmong } from '../link/view.ts';
import type { Board } from '../model/content/board.ts';
import type { Task } from '../model/content/task.ts';
import type { ReadTransaction } from '../ports/store.ts';
import { assignedMemberOf } from '../task/assignment.ts';

/** One field that changed. */
export interface FieldChange {
  /** The name of the field. Null if it belongs to a board that the caller may not see. */
  readonly field: string | null;
  /** The value before; for a list, the removed items. Null: none, hidden, or a long text. */
  readonly from: unknown;
  /** The value after; for a list, the added items. Null as in `from`. */
  readonly to: unknown;
}

/** One write to a record, as the caller sees it. */
export interface HistoryEntryView {
  /** The `seq` of the change event. Null for a creation that is derived from the record. */
  readonly seq: number | null;
  /** ISO 8601 UTC. */
  readonly at: string;
  /** The member who made the change. Null for the operator, and if the caller is a guest and did not make it. */
  readonly byId: string | null;
  /** The `X-Request-Id` of the request. Null below role Admin, or if there was none. */
  readonly requestId: string | null;
  /** What was done. */
  readonly action: HistoryAction;
  /** The comment that the action is on. Null: the action is on the record itself. */
  readonly commentId: string | null;
  /** By field. */
  readonly changes: readonly FieldChange[];
  /** Present if older entries were removed: a record keeps at most 10,000. */
  readonly truncated?: true;
}

const NO_TASKS: ReadonlyMap<string, Task> = new Map();

const HIDDEN: FieldChange = { field: null, from: null, to: null };

/** Fields of a task that are those of its board. */
const OF_BOARD: ReadonlySet<string> = new Set(['boardId', 'statusId', 'statusOrderKey', 'tags']);

/** The work of an entry, which names up to some 200 ids. */
const unitsOfEntry = (): number => 4;
/** Statuses and tags whose names are noted as fast as a record is read. */
const PARTS_PER_UNIT = 32;
const unitsOfBoard = ({ statuses, tags }: Board): number => 1 + (statuses.length + tags.length) / PARTS_PER_UNIT;

/**
 * Makes entries readable, in steps: with names as they are now, and what the viewer may not see left out. Three reads
 * for all.
 */
export async function historyViews(
  tx: ReadTransaction,
  viewer: Viewer,
  entries: readonly HistoryEntry[],
): Promise<readonly (HistoryEntryView | null)[]> {
  const boardIds = new Set(entries.flatMap((entry) => [entry.boardId, entry.fromBoardId]).filter((id) => id !== null));
  const { structure, yielder } = viewer;
  const workspaceId = structure.workspace.id;
  const seen = [...boardIds].filter((id) => sees(viewer, id));
  const members: string[] = [];
  const linkedIds: string[] = [];
  const parsed = await mapInSteps(entries, yielder, unitsOfEntry, (entry) => {
    const changes = JSON.parse(entry.changes) as StoredFieldChange[];
    for (const change of changes) {
      members.push(...membersIn(change));
      if (entry.kind === 'task') linkedIds.push(...linkedIn(change));
    }
    return { entry, changes };
  });
  const [boards, nameOf, linked] = await Promise.all([
    seen.length === 0 ? new Map<string, never>() : tx.boards.many(workspaceId, seen),
    memberNames(tx, viewer, members),
    linkedIds.length === 0 ? NO_TASKS : seenAmong(tx, viewer, linkedIds),
  ]);
  await mapInSteps([...boards.values()], yielder, unitsOfBoard, namesOn);
  const gone = new Set<string>();
  await mapInSteps(parsed, yielder, unitsOfEntry, ({ entry, changes }) => {
    for (const id of partIds(entry, changes)) if (nameOfPart(boards, entry, id) === undefined) gone.add(id);
  });
  const removed = gone.size === 0 ? new Map<string, never>() : await tx.removedNames.many(workspaceId, [...gone]);
  const taskName = (id: unknown) => {
    const task = linked.get(id as string);
    return task === undefined ? null : { id, name: task.title };
  };
  return mapInSteps(parsed, yielder, unitsOfEntry, ({ entry, changes }) => {
    const partName = (id: unknown) => ({
      id,
      name: nameOfPart(boards, entry, id as string) ?? removed.get(id as string)?.name ?? null,
    });
    const shown = changes.map((change) => changeView({ viewer, entry, nameOf, partName, taskName }, change));
    const visible = shown.filter((change) => change !== null);
    // Changes of a hidden board alone are no changes to a viewer of the task's own page.
    if (changes.length > 0 && visible.every((change) => change === HIDDEN)) return null;
    return entryView(viewer, entry, visible);
  });
}

function entryView(viewer: Viewer, entry: HistoryEntry, changes: readonly FieldChange[]): HistoryEntryView {
  const { seq, at, requestId, action, commentId, isOldest } = entry;
  return {
    seq,
    at,
    byId: shownMemberIdOfUser(viewer, entry.userId),
    requestId: viewer.member.role >= ADMIN ? requestId : null,
    action,
    commentId,
    changes,
    ...(isOldest ? { truncated: true } : {}),
  };
}

interface Reading {
  readonly viewer: Viewer;
  readonly entry: HistoryEntry;
  readonly nameOf: (id: string) => MemberName;
  readonly partName: (id: unknown) => object;
  /** Null for a task that the viewer may not see. */
  readonly taskName: (id: unknown) => object | null;
}

/** Null: nothing that the viewer may know. */
function changeView(reading: Reading, [field, from, to]: StoredFieldChange): FieldChange | null {
  const { viewer, entry, nameOf, partName, taskName } = reading;
  const each = (of: (value: unknown) => unknown): FieldChange => {
    const shown = (value: unknown) =>
      value === null || value === undefined ? null : Array.isArray(value) ? value.map(of) : of(value);
    return { field, from: shown(from), to: shown(to) };
  };
  if (entry.kind === 'page' && field === 'parentId') return each((id) => pageName(viewer, id as string));
  if (entry.kind === 'page' && field === 'boardId') return ofPageBoard(viewer, from, to);
  if (field === 'entries') {
    const concerned = ((from ?? to) as { readonly id: string } | null)?.id;
    if (concerned === undefined) return viewer.member.role < MEMBER ? null : { field, from: null, to: null };
    if (viewer.member.role < MEMBER && concerned !== viewer.member.id) return null;
    return each((one) => ({ ...nameOf((one as { id: string }).id), access: (one as { access: number }).access }));
  }
  if (entry.kind !== 'task') return each((value) => value);
  if (field === 'assignees') return each((assignment) => nameOf(assignedMemberOf(assignment as string)));
  if (field === 'checklist') return each((item) => itemView(item as StoredItem, nameOf));
  if (isOfLinks(field)) return each(taskName);
  if (!OF_BOARD.has(field)) return each((value) => value);
  const toBoard = entry.boardId;
  const fromBoard = entry.fromBoardId ?? toBoard;
  const [seesFrom, seesTo] = [isSeen(viewer, fromBoard), isSeen(viewer, toBoard)];
  if (!seesFrom && !seesTo) return HIDDEN;
  const value = field === 'boardId' ? (id: unknown) => pageName(viewer, id as string) : ofField(field, partName);
  const { from: was, to: is } = each(value);
  return { field, from: seesFrom ? was : null, to: seesTo ? is : null };
}

function isSeen(viewer: Viewer, boardId: string | null): boolean {
  return boardId !== null && sees(viewer, boardId);
}

function ofField(field: string, partName: Reading['partName']): (value: unknown) => unknown {
  return field === 'statusOrderKey' ? (key) => key : partName;
}

function ofPageBoard(viewer: Viewer, from: unknown, to: unknown): FieldChange {
  const [was, is] = [pageName(viewer, from as string | null), pageName(viewer, to as string | null)];
  return was === null && is === null ? HIDDEN : { field: 'boardId', from: was, to: is };
}

interface StoredItem {
  readonly id: string;
  readonly text: string;
  readonly done: boolean;
  readonly assigneeId: string | null;
}

function itemView({ id, text, done, assigneeId }: StoredItem, nameOf: Reading['nameOf']) {
  return { id, text, done, assignee: assigneeId === null ? null : nameOf(assignedMemberOf(assigneeId)) };
}

/** The members whose names a change needs. */
function membersIn([field, from, to]: StoredFieldChange): readonly string[] {
  const values = [from, to].flat().filter((value) => value !== null && value !== undefined);
  if (field === 'assignees') return (values as string[]).map(assignedMemberOf);
  if (field === 'entries') return (values as { id: string }[]).map(({ id }) => id);
  if (field !== 'checklist') return [];
  return (values as StoredItem[]).flatMap(({ assigneeId }) =>
    assigneeId === null ? [] : [assignedMemberOf(assigneeId)],
  );
}

/** The parent of a task, and `links.TYPE`. Their values are tasks. */
function isOfLinks(field: string): boolean {
  return field === 'parentTaskId' || field.startsWith('links.');
}

function linkedIn([field, from, to]: StoredFieldChange): readonly string[] {
  return isOfLinks(field) ? [from, to].flat().filter((id) => typeof id === 'string') : [];
}

/** The statuses and tags that the changes of a task name. */
function partIds({ kind }: HistoryEntry, changes: readonly StoredFieldChange[]): readonly string[] {
  if (kind !== 'task') return [];
  const named = changes.filter(([field]) => field === 'statusId' || field === 'tags');
  return named.flatMap(([, from, to]) => [from, to].flat().filter((id) => typeof id === 'string'));
}

/** The name of a status or tag on the boards that an entry is of, as it is now; undefined if it is gone or hidden. */
function nameOfPart(
  boards: ReadonlyMap<string, Board>,
  { boardId, fromBoardId }: HistoryEntry,
  id: string,
): string | undefined {
  return nameOn(boards, boardId, id) ?? nameOn(boards, fromBoardId, id);
}

function nameOn(boards: ReadonlyMap<string, Board>, boardId: string | null, id: string): string | undefined {
  const board = boardId === null ? undefined : boards.get(boardId);
  if (board === undefined) return undefined;
  const { statuses, tags } = namesOn(board);
  return (statuses.get(id) ?? tags.get(id))?.name;
}
