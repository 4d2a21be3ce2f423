import { levelOnTask, viewerAfter, type Viewer } from '../access/viewer.ts';
import { levelsOfMembers } from '../access/members-access.ts';
import { checklistOf } from '../checklist/of-task.ts';
import { commentsOf } from '../comment/of-task.ts';
import { copyComments, copyOfComments } from './comments.ts';
import { contentsOfFirst, type TaskContents } from './contents.ts';
import { RECORDS_PER_STEP, type StepPorts } from '../jobs/step.ts';
import { distinctKeys } from '../kernel/order-key.ts';
import { created, timestamp } from '../kernel/record.ts';
import type { Board } from '../model/content/board.ts';
import type { ChecklistItem } from '../model/content/checklist-item.ts';
import type { Copy, CopiedUpTo } from '../model/job.ts';
import { VIEW } from '../model/access/level.ts';
import type { Page } from '../model/workspace/page.ts';
import { linkedIds } from '../model/content/task-links.ts';
import type { Task } from '../model/content/task.ts';
import { newPage } from '../page/create.ts';
import type { Transaction } from '../ports/store.ts';
import { assigneesOf, assignmentNow, assignmentsTo } from '../task/assignment.ts';
import { copyLinks, copyOfLinks, FIRST_LINK, withLinkedAnew, type CopiedLinks } from './links.ts';
import type { Placed } from '../task/place/column.ts';
import { type TaskPlacement, placeInStatus } from '../task/place/place.ts';
import type { Position } from '../task/place/position.ts';
import { filterByBoard, storedTasks } from '../task/stored-tasks.ts';
import { changeStructure } from '../tree/build.ts';
import { type CopyState, idOfCopy } from './copy-state.ts';

/** Copies a part of a board: first the board itself, then up to 50 records of its tasks at a time. Out of reach. */
export async function copyOfBoard(state: CopyState, boardId: string): Promise<Copy> {
  const { tx, ports, job, pages } = state;
  const { workspaceId, at } = job;
  const source = pages.some(({ id }) => id === boardId) ? await tx.boards.get(workspaceId, boardId) : null;
  // It became hidden in the meantime: what was staged of it is purged, even if it becomes visible again.
  if (source === null) return withoutFirst(at === null ? job : { ...job, lost: [...(job.lost ?? []), boardId] });
  if (at !== null) return copyOfTasks(state, boardId, at);
  await tx.boards.insert(copiedBoard(state, source, timestamp(ports)));
  return job.tasks ? { ...job, at: { num: 0, taskId: '', comment: null } } : withoutFirst(job);
}

function withoutFirst(job: Copy): Copy {
  return { ...job, boards: job.boards.slice(1), at: null };
}

/**
 * Ids of copies do not grow with time, so columns with equal keys could change their order: each gets a key of its own.
 */
function copiedBoard({ job, viewer }: CopyState, source: Board, now: string): Board {
  const part = <T extends { readonly id: string; readonly removal?: unknown }>({ removal: _, ...kept }: T) => ({
    ...kept,
    id: idOfCopy(job, kept.id),
    ...created(now),
  });
  const keys = distinctKeys(source.statuses.map(({ orderKey }) => orderKey));
  return {
    ...source,
    id: idOfCopy(job, source.id),
    name: source.id === job.sourceId ? job.name : source.name,
    externalId: null,
    createdById: viewer.member.id,
    statuses: source.statuses.map((status, i) => ({ ...part(status), orderKey: keys[i]! })),
    tags: source.tags.filter(({ removal }) => removal === undefined).map(part),
    ...created(now),
  };
}

async function copyOfTasks(state: CopyState, sourceId: string, at: CopiedUpTo): Promise<Copy> {
  const { tx, job, viewer } = state;
  const { workspaceId } = job;
  if (at.link !== undefined) return copyOfLinks(state, at, at.link);
  if (at.comment !== null) return { ...job, at: await copyOfComments(state, at, at.comment) };
  const board = (await tx.boards.get(workspaceId, idOfCopy(job, sourceId)))!;
  // Tasks that are added to the source later have no status on the copy.
  if (board.statuses.length === 0) return withoutFirst(job);
  const found = await storedTasks(tx, workspaceId, {
    filters: filterByBoard(sourceId),
    after: at.num === 0 ? null : { num: at.num, id: at.taskId },
    limit: RECORDS_PER_STEP,
  });
  const target = { ...targetOn(job, board), assignable: assignableTo(state) };
  const copies = await Promise.all(found.map((task) => tx.tasks.get(workspaceId, idOfCopy(job, task.id))));
  const contents = await contentsOfFirst(tx, job, found);
  await target.assignable(found.flatMap((task) => task.assignees));
  let room = RECORDS_PER_STEP;
  let upTo = at;
  let left = job;
  for (const [i, task] of found.entries()) {
    const pause = viewer.yielder.step(1 + Math.ceil((task.tags.length + task.assignees.length) / PARTS_PER_STEP));
    if (pause !== null) await pause;
    // A whole checklist is copied with its task.
    if (room <= 0 || (room < RECORDS_PER_STEP && task.checklistTotal >= room)) return { ...left, at: upTo };
    upTo = { num: task.num, taskId: task.id, comment: null };
    room -= 1;
    if (levelOnTask(viewer, task) < VIEW) continue;
    // It was copied with the board that it was on then.
    if (copies[i] !== null) continue;
    const given = contents.get(task.id);
    const { written, comment, links } = await copyOfTask({ ...state, job: left }, target, task, given, room);
    room -= written;
    if (links !== null) left = withLinkedAnew(left, links);
    if (links !== null && links.next !== null) return { ...left, at: { ...upTo, comment, link: links.next } };
    if (comment !== null) return { ...left, at: { ...upTo, comment } };
  }
  return found.length < RECORDS_PER_STEP ? withoutFirst(left) : { ...left, at: upTo };
}

/** Tags or assignees that take as long as a record. */
const PARTS_PER_STEP = 32;

/** The copy of a board, as the copies of its tasks refer to it. */
interface CopyTarget {
  readonly boardId: string;
  readonly firstStatusId: string;
  readonly statusIds: ReadonlySet<string>;
  /** The copies of tags, without those that were added to the board meanwhile. Each is looked up once. */
  readonly tagsFor: (tags: readonly string[]) => readonly string[];
  readonly assignable: Assignable;
}

function targetOn(job: Copy, { id, statuses, tags }: Board): Omit<CopyTarget, 'assignable'> {
  const there = new Set(tags.map((tag) => tag.id));
  const copies = new Map<string, string>();
  const copyOf = (tag: string): string => {
    const copy = copies.get(tag) ?? idOfCopy(job, tag);
    copies.set(tag, copy);
    return copy;
  };
  return {
    boardId: id,
    firstStatusId: statuses[0]!.id,
    statusIds: new Set(statuses.map((status) => status.id)),
    tagsFor: (all) => all.map(copyOf).filter((tag) => there.has(tag)),
  };
}

/** Which members with assignments will see the copy. Its pages have no access of their own. */
type Assignable = (assignments: readonly string[]) => Promise<ReadonlySet<string>>;

/** Each member is looked at once. */
function assignableTo({ tx, ports, job, viewer }: CopyState): Assignable {
  const known = new Set<string>();
  const seeing = new Set<string>();
  let there: Viewer | undefined;
  return async (assignments) => {
    const asked = job.assignees ? new Set(assigneesOf(viewer.structure, assignments)) : known;
    const ids = [...asked].filter((id) => !known.has(id));
    if (ids.length === 0) return seeing;
    there ??= viewerWith(viewer, job, ports);
    const levels = await levelsOfMembers(tx, there, ids, { id: '', boardId: job.rootId });
    for (const [i, id] of ids.entries()) {
      known.add(id);
      if (levels[i]! >= VIEW) seeing.add(id);
    }
    return seeing;
  };
}

/** The viewer as if the topmost page of the copy were in place. */
function viewerWith(viewer: Viewer, job: Copy, ports: StepPorts): Viewer {
  const given = {
    id: job.rootId,
    name: job.name,
    type: 'board',
    parentId: job.parentId,
    at: timestamp(ports),
  } as const;
  const page: Page = { ...newPage(ports, viewer, given), contentId: job.rootId };
  return viewerAfter(viewer, changeStructure(viewer.structure, { pages: [page] }));
}

interface TaskCopyResult {
  /** Records written besides the task. */
  readonly written: number;
  /** The comment after which to continue; null: all are copied, or none are to be. */
  readonly comment: CopiedUpTo['comment'];
  /** Null: the task has none. */
  readonly links: CopiedLinks | null;
}

async function copyOfTask(
  state: CopyState,
  target: CopyTarget,
  source: Task,
  contents: TaskContents | undefined,
  room: number,
): Promise<TaskCopyResult> {
  const { tx, ports, job, viewer } = state;
  const { workspaceId } = source;
  const id = idOfCopy(job, source.id);
  const now = timestamp(ports);
  const statusId = idOfCopy(job, source.statusId);
  // A status that was added meanwhile is not on the copy of the board.
  const place = target.statusIds.has(statusId)
    ? { statusId, position: { at: 'key', key: source.statusOrderKey } as const }
    : { statusId: target.firstStatusId, position: { at: 'end' } as const };
  const placement = await placeOfCopy(tx, ports, { id, workspaceId }, place.statusId, place.position);
  if (placement.moved.length > 0) await tx.tasks.replaceTogether(placement.moved);
  const items = contents?.items ?? (await checklistOf(tx, source));
  const all = job.comments ? source.commentCount : 0;
  const fits = all + items.length + linkedIds(source).length <= room;
  const { boardEdits: _, links: __, ...kept } = source;
  // An item may be assigned to a member whom its task is not assigned to.
  const seeing = await target.assignable([...source.assignees, ...items.flatMap(({ assigneeId }) => assigneeId ?? [])]);
  const assignees = assigneesOf(viewer.structure, source.assignees).filter((one) => seeing.has(one));
  await tx.tasks.insert({
    ...kept,
    id,
    title: source.id === job.sourceId ? job.name : source.title,
    num: await tx.tasks.reserveNums(workspaceId, 1),
    boardId: target.boardId,
    statusId: place.statusId,
    statusOrderKey: placement.key,
    createdById: viewer.member.id,
    externalId: null,
    tags: target.tagsFor(source.tags),
    assignees: assignmentsTo(viewer.structure, assignees),
    commentCount: fits ? all : 0,
    ...created(now),
  });
  for (const item of items) await tx.checklistItems.insert(copiedItem(job, viewer, item, id, seeing));
  const roomForLinks = room - items.length;
  const links = source.links === undefined ? null : await copyLinks(state, source, FIRST_LINK, roomForLinks);
  const written = items.length + (links?.written ?? 0);
  if (all === 0) return { written, comment: null, links };
  if (!fits) return { written, comment: { createdAt: '', id: '' }, links };
  await copyComments(state, contents?.comments ?? (await commentsOf(tx, source)));
  return { written: written + all, comment: null, links };
}

/**
 * A column of a copy has the keys of its source, however close they are. A key is taken only if tasks of the source
 * were moved between two steps of the copy.
 */
async function placeOfCopy(
  tx: Transaction,
  ports: StepPorts,
  task: Placed,
  statusId: string,
  position: Position,
): Promise<TaskPlacement> {
  if (position.at === 'key') {
    const { key } = position;
    const taken = await tx.tasks.placesTakenAmong(task.workspaceId, statusId, key, key);
    if (taken.length === 0) return { key, moved: [] };
  }
  return placeInStatus(tx, ports, task, statusId, position);
}

/** The assignee of an item is kept under the same condition as those of the task. */
function copiedItem(
  job: Copy,
  { structure }: Viewer,
  item: ChecklistItem,
  taskId: string,
  seeing: ReadonlySet<string>,
): ChecklistItem {
  const [member] = item.assigneeId === null ? [] : assigneesOf(structure, [item.assigneeId]);
  const assigneeId = member !== undefined && seeing.has(member) ? assignmentNow(structure, member) : null;
  return { ...item, id: idOfCopy(job, item.id), taskId, assigneeId };
}
