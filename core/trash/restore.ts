import { levelOn, levelOnTask, viewerAfter, viewerOf, requireLevel, sees, type Viewer } from '../access/viewer.ts';
import { boardView, type BoardView } from '../board/view.ts';
import { firstStatus } from '../board/statuses.ts';
import { visibleCounts } from '../board/visible-counts.ts';
import { conflict, found, unusable } from '../kernel/errors.ts';
import { changed, timestamp } from '../kernel/record.ts';
import { LastComputed } from '../kernel/last-computed.ts';
import { inSteps } from '../kernel/stepwise.ts';
import { EDIT, FULL } from '../model/access/level.ts';
import { pageFrom, type Page } from '../model/workspace/page.ts';
import type { Structure, StructureChange } from '../model/workspace/structure.ts';
import type { Task } from '../model/content/task.ts';
import type { TrashItem } from '../model/trash-item.ts';
import { placeLast, requireParent } from '../page/place.ts';
import { INLINE_LIMIT } from '../page/subtree.ts';
import { pageView, type PageView } from '../page/view.ts';
import type { Context, NamedInAnswer } from '../ports/context.ts';
import type { ReadTransaction, Transaction } from '../ports/store.ts';
import type { Precomputed } from '../ports/precomputed.ts';
import { isCurrent } from '../task/assignment.ts';
import { idsOf, placeInStatus } from '../task/place/place.ts';
import { withComments } from '../task/read.ts';
import { namedInTask, writtenTaskView, type TaskView } from '../task/view.ts';
import { writeOrPlan } from '../write/write-or-plan.ts';
import { consequencesOf } from '../write/consequences.ts';
import { hasStoredAnswer } from '../write/idempotency/idempotency.ts';
import { read, write } from '../write/transaction.ts';
import { withNamedRecords } from '../write/idempotency/visible-answer.ts';
import { itemAt, type TrashAddress } from './items.ts';
import { lastBeside, type RestoredPlace } from './last-place.ts';
import { requireDeletable, type TrashLevels } from './rights.ts';
import { takeFromTrash } from './totals.ts';
import { boardInTrash, TrashedSubtreeTooLarge, subtreeInTrash } from './subtree.ts';

/** What `trash.restore` takes: an item, and where it goes. */
export interface RestoreTrashed extends TrashAddress {
  /**
   * The new parent page, or null for the top, as if it were moved there. Absent: the original place, or the top if that
   * no longer exists.
   */
  readonly parentId?: string | null;
}

/** The restored page, board or task. */
export type RestoredRecord = PageView | BoardView | TaskView;

/**
 * Puts an item of the trash back, with all that was deleted with it. If there is much of it, that is first collected
 * from a snapshot, so that no writer waits for it.
 *
 * @throws `not-found`, `forbidden`, `hidden-content` as deleting it
 * @throws `board-in-trash` for a task whose board, or a page with a task below it whose board, is in the trash
 * @throws `board-without-status`, `column-crowded`, `quota-exceeded`
 * @throws `unusable-reference` for a parent that is missing or hidden
 */
export async function restoreTrashed(context: Context, input: RestoreTrashed): Promise<RestoredRecord> {
  const answer = withNamedRecords(context, namedIn);
  const restored = await writeOrPlan(answer, {
    workspaceId: input.workspaceId,
    tooLarge: TrashedSubtreeTooLarge,
    most: INLINE_LIMIT,
    work: (own, most) => write(own, (tx) => restore(tx, own, input, most)),
    plan: (own) => plan(own, input),
  });
  return withComments(context, restored);
}

/** Computes the change from a snapshot, and what writing it needs. */
function plan(context: Context, input: RestoreTrashed): Promise<Precomputed> {
  return read(context, async (tx) => {
    const viewer = await viewerOf(tx, context, input.workspaceId);
    const precomputed: Precomputed = { structure: viewer.structure };
    const { item, change } = await planned(tx, { ...context, precomputed }, viewer, input, Infinity);
    if (change === null) return precomputed;
    await inSteps(consequencesOf(viewer.structure, change), viewer.yielder);
    plans.set(keyOf(viewer.structure, item, input), change, precomputed);
    return precomputed;
  });
}

function namedIn(answer: RestoredRecord): NamedInAnswer {
  if ('comments' in answer) return namedInTask(answer);
  const { workspaceId, id } = answer;
  const { parentId = null } = answer as Partial<Pick<PageView, 'parentId'>>;
  return { workspaceId, records: [id, parentId] };
}

/** Changes that restore an item, computed from a snapshot. */
const plans = new LastComputed<Precomputed, StructureChange>();

function keyOf(structure: Structure, { id }: TrashItem, { parentId }: RestoreTrashed) {
  return [structure.workspace.id, structure.revision, id, parentId];
}

interface Planned {
  readonly item: TrashItem;
  /** Null for a task without a page. */
  readonly change: StructureChange | null;
}

/** Checks access, and decides where it goes. */
async function planned(
  tx: ReadTransaction,
  context: Context,
  viewer: Viewer,
  input: RestoreTrashed,
  most: number,
): Promise<Planned> {
  const { structure, yielder } = viewer;
  const { item, levels } = await itemAt(tx, context, viewer, input, most);
  requireDeletable(viewer, item, levels);
  if (item.page === null) {
    if (input.parentId !== undefined) throw unusable('parentId');
    return { item, change: null };
  }
  const at = timestamp(context);
  const root = pageFrom(item.page);
  const known = plans.get(keyOf(structure, item, input), context.precomputed);
  if (known !== null) return { item, change: known };
  const { pages, moved, waiting, hasPlace } = await subtreeInTrash({ tx, structure, item, most, yielder, at });
  const place = placeFor(viewer, root, hasPlace, levels, input);
  const { parentId } = place;
  const last = parentId === root.parentId ? { ...place, pages } : await lastBeside(place, pages, yielder);
  const top = changed(root, { parentId, orderKey: last.orderKey }, at);
  const restoredFrom = new Map([
    [root.id, root.parentId],
    ...Array.from(moved, ([{ id }, from]) => [id, from] as const),
  ]);
  const put = [...last.moved, top, ...moved.keys()];
  const change = { pages: put, restoredPages: last.pages, restoredFrom, waitingTasks: waiting };
  return { item, change };
}

/** Its own place, if it is there and no other is asked for; else as moving it there. */
function placeFor(
  viewer: Viewer,
  root: Page,
  hasPlace: boolean,
  { own }: TrashLevels,
  input: RestoreTrashed,
): RestoredPlace {
  const { parentId: before, orderKey } = root;
  const { parentId = hasPlace ? before : null } = input;
  // By its id a hidden page above is refused as any other is: the id alone does not tell what stands below it.
  const mayBeNamed = input.parentId == null || sees(viewer, input.parentId);
  if (hasPlace && parentId === before && mayBeNamed) return { parentId, orderKey, moved: [] };
  requireLevel(own, FULL);
  requireParent(viewer, parentId);
  return { parentId, ...placeLast(viewer, parentId) };
}

async function restore(
  tx: Transaction,
  context: Context,
  input: RestoreTrashed,
  most: number,
): Promise<RestoredRecord> {
  const viewer = await viewerOf(tx, context, input.workspaceId);
  if (await hasStoredAnswer(tx, context)) await requireRestored(tx, viewer, input);
  const { item, change } = await planned(tx, context, viewer, input, most);
  const isBack = (pageId: string): boolean =>
    viewer.structure.page(pageId) !== undefined ||
    change?.restoredPages?.some(({ id }) => id === pageId) === true ||
    item.id === pageId;
  if (item.task !== null && !isBack(item.task.boardId)) throw boardInTrash();
  await takeFromTrash(tx, item);
  if (change !== null) await inSteps(consequencesOf(viewer.structure, change), viewer.yielder);
  const structure = change === null ? viewer.structure : await tx.structures.change(viewer.structure, change);
  const after = viewerAfter(viewer, structure);
  const task = item.task === null ? null : await putBack(tx, context, structure, item.task);
  if (item.kind === 'task' && task !== null) return writtenTaskView(tx, after, task);
  if (item.kind === 'board') {
    const board = found(await tx.boards.get(item.workspaceId, item.id));
    return boardView(board, await visibleCounts(tx, after, board.id));
  }
  return pageView(after, found(structure.page(item.id)));
}

/**
 * For a repeated call: a caller who may still edit what was restored gets the earlier answer.
 *
 * @throws a conflict, which stands for that answer
 */
async function requireRestored(tx: ReadTransaction, viewer: Viewer, { workspaceId, trashId }: RestoreTrashed) {
  if ((await tx.trash.get(workspaceId, trashId)) !== null) return;
  const task = await tx.tasks.get(workspaceId, trashId);
  requireLevel(task === null ? levelOn(viewer, trashId) : levelOnTask(viewer, task), EDIT);
  throw conflict('replay-hidden', 'The item is restored already.');
}

/** Puts a task back on its board, where it stood. A status that is gone becomes the first of the board. */
async function putBack(tx: Transaction, context: Context, structure: Structure, task: Task): Promise<Task> {
  const board = found(await tx.boards.get(task.workspaceId, task.boardId));
  const own = board.statuses.find((one) => one.id === task.statusId && one.removal === undefined);
  const status = own ?? firstStatus(board);
  const tags = task.tags.filter((tagId) => board.tags.some((tag) => tag.id === tagId && tag.removal === undefined));
  const assignees = task.assignees.filter((assignment) => isCurrent(structure, assignment));
  const position = own === undefined ? ({ at: 'end' } as const) : ({ at: 'key', key: task.statusOrderKey } as const);
  const { id, workspaceId } = task;
  const { key: statusOrderKey, moved } = await placeInStatus(tx, context, { id, workspaceId }, status.id, position);
  const next = changed(task, { statusId: status.id, statusOrderKey, tags, assignees }, timestamp(context));
  if (moved.length > 0) await tx.tasks.replaceTogether(moved, idsOf(moved));
  await tx.tasks.insert(next);
  return next;
}
