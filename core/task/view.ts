import { commentsOf } from '../comment/of-task.ts';
import type { Viewer } from '../access/viewer.ts';
import { sees } from '../access/viewer.ts';
import { checklistOf } from '../checklist/of-task.ts';
import { checklistItemView, type ChecklistItemView } from '../checklist/view.ts';
import { commentView, type CommentView } from '../comment/view.ts';
import { forEachStepwise, inSteps, mapInSteps } from '../kernel/stepwise.ts';
import { linkedTo, linkSummary, linkViews, summarisedBy, type LinkSummary, type TaskLinkView } from '../link/view.ts';
import { BoundedWeakCache } from '../kernel/bounded-weak-cache.ts';
import type { ReadTransaction } from '../ports/store.ts';
import { assigneesOf } from './assignment.ts';
import { metadataOf, type WithMetadata } from '../model/metadata.ts';
import type { Structure } from '../model/workspace/structure.ts';
import type { SeenTask } from '../model/content/task-query.ts';
import { seenWithoutBoard, type Task } from '../model/content/task.ts';
import type { TaskNames } from '../names/task-names.ts';

/** A task in a list, as a member reads it. */
export interface TaskSummary extends Omit<WithMetadata<SeenTask>, 'boardEdits' | 'links'>, LinkSummary {
  /** Member ids. */
  readonly assignees: readonly string[];
  /** Whether the caller sees the task only through its own page, and no field of its board. */
  readonly boardHidden: boolean;
  /** The page of the task, which has the same id. Null if there is none. */
  readonly pageId: string | null;
  /** Present if requested with `expand`. */
  readonly expanded?: TaskNames;
}

/** A task with its links, its checklist and its comments. */
export interface TaskView extends Omit<TaskSummary, 'commentCount' | 'checklistTotal' | 'checklistDone'> {
  /** The links to other tasks, by type, then by creation. */
  readonly links: readonly TaskLinkView[];
  /** The checklist items, in order. */
  readonly checklist: readonly ChecklistItemView[];
  /** By creation, oldest first. */
  readonly comments: readonly CommentView[];
}

/** What is shown of a task, and the last structure it was validated against. Both are immutable. */
interface Cached<Shown> {
  readonly shown: Shown;
  structure: WeakRef<Structure>;
}

type Cache<Shown> = BoundedWeakCache<SeenTask, Cached<Shown>>;

/** By frozen task records, which stores share: reading a board or a task again creates no objects. */
const summaries: Cache<TaskSummary> = new BoundedWeakCache();
const views: Cache<TaskView> = new BoundedWeakCache();

/** Without its links. Frozen if the task is: then all viewers who see the same share one object. */
function taskSummary({ structure }: Viewer, task: SeenTask): TaskSummary {
  return shared(summaries, structure, task, (pageId, assignees) => {
    const shown = shownOf(task, task.boardId === null, pageId, assignees);
    const { commentCount, checklistTotal, checklistDone } = task;
    return Object.assign(shown, { commentCount, checklistTotal, checklistDone });
  });
}

/** @param make makes it, with its own lists of tags and assignees */
function shared<Shown extends Pick<TaskSummary, 'pageId' | 'tags' | 'assignees'>>(
  cache: Cache<Shown>,
  structure: Structure,
  task: SeenTask,
  make: (pageId: string | null, assignees: readonly string[]) => Shown,
): Shown {
  const known = cache.get(task);
  if (known?.structure.deref() === structure) return known.shown;
  const pageId = pageOf(structure, task);
  const assignees = assigneesOf(structure, task.assignees);
  if (known !== undefined && known.shown.pageId === pageId && sameItems(known.shown.assignees, assignees)) {
    known.structure = new WeakRef(structure);
    return known.shown;
  }
  const shown = make(pageId, assignees);
  if (!Object.isFrozen(task)) return shown;
  Object.freeze(shown.tags);
  Object.freeze(shown.assignees);
  cache.set(task, { shown: Object.freeze(shown), structure: new WeakRef(structure) });
  return shown;
}

/** The number of ids that take as long to check as a record takes to read. */
const IDS_PER_UNIT = 64;

/** Maps tasks one by one, in steps where they have very many tags or assignees. */
export function mapTasks<T extends Pick<SeenTask, 'tags' | 'assignees'>, R>(
  { yielder }: Viewer,
  tasks: readonly T[],
  map: (task: T) => R,
): Promise<R[]> {
  const unitsOf = ({ tags, assignees }: T) => Math.floor((tags.length + assignees.length) / IDS_PER_UNIT);
  return mapInSteps(tasks, yielder, unitsOf, map);
}

/** The summaries of tasks in a list. Only tasks with links cost a read, of those that these count. O(tasks + links). */
export async function taskSummaries(
  tx: ReadTransaction,
  viewer: Viewer,
  tasks: readonly SeenTask[],
): Promise<readonly TaskSummary[]> {
  const summaries = await mapTasks(viewer, tasks, (task) => taskSummary(viewer, task));
  if (tasks.every(({ links }) => links === undefined)) return summaries;
  const seen = await summarisedBy(tx, viewer, tasks);
  const withLinks = forEachStepwise(tasks.length, (n) => {
    if (tasks[n]!.links !== undefined) summaries[n] = { ...summaries[n]!, ...linkSummary(tasks[n]!, seen) };
  });
  await inSteps(withLinks, viewer.yielder);
  return summaries;
}

/**
 * A task that has only its own fields, for a viewer who sees its board: frozen if the task is, and shared like
 * summaries. Null for any other, which {@link taskView} shows.
 */
export function sharedTaskView(viewer: Viewer, task: Task): TaskView | null {
  const { commentCount, checklistTotal, links, boardId } = task;
  if (commentCount > 0 || checklistTotal > 0 || links !== undefined || !sees(viewer, boardId)) return null;
  return shared(views, viewer.structure, task, (pageId, assignees) =>
    Object.assign(shownOf(task, false, pageId, assignees), { links: NONE, checklist: NONE, comments: NONE }),
  );
}

const NONE: readonly never[] = Object.freeze([]);

/** In place of the comments of a task that a write answers: they are read after it, see `withComments`. */
export const UNREAD = null as unknown as readonly CommentView[];

/** The most comments that a write reads for its answer: others wait meanwhile. */
const MAX_IN_WRITE = 100;

/** The cost of making a comment ready to be shown, relative to that of reading a record. */
export const SHOWN_COST = 0.25;

async function shownComments(tx: ReadTransaction, viewer: Viewer, task: Task): Promise<readonly CommentView[]> {
  return mapInSteps(await commentsOf(tx, task), viewer.yielder, () => SHOWN_COST, commentView);
}

/** @param most with more comments, they are {@link UNREAD} */
export async function taskView(tx: ReadTransaction, viewer: Viewer, task: Task, most = Infinity): Promise<TaskView> {
  const { commentCount } = task;
  const comments = commentCount === 0 ? [] : commentCount > most ? UNREAD : await shownComments(tx, viewer, task);
  const items = task.checklistTotal === 0 ? [] : await checklistOf(tx, task);
  const { structure } = viewer;
  const assignees = assigneesOf(structure, task.assignees);
  const shown = shownOf(task, !sees(viewer, task.boardId), pageOf(structure, task), assignees);
  const checklist = items.map((item) => checklistItemView(structure, item));
  const links = task.links === undefined ? [] : await linksIn(tx, viewer, task, shown);
  return Object.assign(shown, { links, checklist, comments });
}

/** A task as a write answers it. */
export function writtenTaskView(tx: ReadTransaction, viewer: Viewer, task: Task): Promise<TaskView> {
  return taskView(tx, viewer, task, MAX_IN_WRITE);
}

/** The links of a task; their summary is added to its view. */
async function linksIn(tx: ReadTransaction, viewer: Viewer, task: Task, shown: object) {
  const seen = await linkedTo(tx, viewer, task);
  Object.assign(shown, linkSummary(task, seen));
  return linkViews(task, seen);
}

/** An answer stored by an older release has no links. */
type NamedTask = Pick<TaskView, 'workspaceId' | 'id' | 'boardId'> & Partial<Pick<TaskView, 'links'>>;

/** The records named in the answer of a call that wrote a task. */
export function namedInTask({ workspaceId, id, boardId, links = [] }: NamedTask) {
  return { workspaceId, records: [id, boardId, ...links.flatMap(({ taskId }) => taskId ?? [])] };
}

function pageOf(structure: Structure, { id }: SeenTask): string | null {
  return structure.page(id) === undefined ? null : id;
}

function sameItems(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((item, i) => item === b[i]);
}

/** Returns a new object that the caller may extend: spreading so many fields into another is slow. */
function shownOf(task: SeenTask, boardHidden: boolean, pageId: string | null, assignees: readonly string[]) {
  const { version, updatedAt } = boardHidden ? seenWithoutBoard(task) : task;
  return {
    id: task.id,
    workspaceId: task.workspaceId,
    num: task.num,
    title: task.title,
    description: task.description,
    boardId: boardHidden ? null : task.boardId,
    boardHidden,
    statusId: boardHidden ? null : task.statusId,
    statusOrderKey: boardHidden ? null : task.statusOrderKey,
    priority: task.priority,
    complete: task.complete,
    createdById: task.createdById,
    dateStart: task.dateStart,
    dateEnd: task.dateEnd,
    externalId: task.externalId,
    metadata: metadataOf(task),
    tags: boardHidden ? [] : task.tags.slice(),
    assignees: assignees.slice(),
    pageId,
    parentTaskId: null as string | null,
    childCount: 0,
    childDone: 0,
    blocked: false,
    createdAt: task.createdAt,
    updatedAt,
    version,
  };
}
