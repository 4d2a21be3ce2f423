import { inheritsFully } from '../access/resolve.ts';
import type { Viewer } from '../access/viewer.ts';
import { timestamp } from '../kernel/record.ts';
import { forEachItemStepwise, type Stepwise } from '../kernel/stepwise.ts';
import { storedPage, type Page } from '../model/workspace/page.ts';
import type { Structure, StructureChange } from '../model/workspace/structure.ts';
import type { Task } from '../model/content/task.ts';
import { NOTHING_TRASHED } from '../model/trash-counts.ts';
import type { TrashItem } from '../model/trash-item.ts';
import type { Context } from '../ports/context.ts';
import type { Transaction } from '../ports/store.ts';
import { LISTED_BOARDS } from '../purge/enqueue-purge.ts';
import { memoizeByChange } from '../tree/memoize-change.ts';
import { removalOf } from '../tree/removal.ts';
import { totalsDeltaOf } from '../tree/totals.ts';
import { originOf } from '../write/journal/journal.ts';
import { countTrashed } from './totals.ts';

/** Up to this many pages with access of their own are listed in an item. */
const LISTED_CHECKS = 200;

/** What an item of the trash says of the pages deleted with it. */
type Below = Pick<TrashItem, 'counts' | 'boards' | 'checks'>;

const NOTHING_BELOW: Below = { counts: NOTHING_TRASHED, boards: [], checks: [] };

/** What an item says of the pages that a change removes. O(pages removed), then cached. */
export const belowOf = memoizeByChange(function* (structure, change): Stepwise<Below> {
  const { pages, topmost, roots } = yield* removalOf.inSteps(structure, change);
  const elsewhere = new Set(topmost);
  const boards: string[] = [];
  const checks: string[] = [];
  yield* forEachItemStepwise(pages, (page) => {
    if (page.type === 'board' && boards.length < LISTED_BOARDS) boards.push(page.id);
    const isApart = !inheritsFully(page) || elsewhere.has(page);
    if (isApart && page !== roots[0] && checks.length <= LISTED_CHECKS) checks.push(page.id);
  });
  const growth = yield* totalsDeltaOf.inSteps(structure, change);
  const counts = { pages: -growth.pages, boards: -growth.boards, entries: -growth.entries, tasks: 0 };
  return { counts, boards, checks: checks.length > LISTED_CHECKS ? null : checks };
});

/** Takes a task without a page of its own off its board, and puts it in the trash. */
export async function trashTask(
  tx: Transaction,
  context: Context,
  viewer: Viewer,
  task: Task,
  keptFor: number,
): Promise<void> {
  await tx.tasks.remove(task);
  await insertItem(tx, context, viewer, { task, page: null, isLeaf: true, ...NOTHING_BELOW }, keptFor);
}

/**
 * Puts a page in the trash, with all pages that the change removes. All but the page and its task stay stored,
 * unreachable.
 *
 * @param isLeaf nothing is nested under it
 * @returns the structure without them
 */
export async function trashPage(
  tx: Transaction,
  context: Context,
  viewer: Viewer,
  { page, change, isLeaf }: { readonly page: Page; readonly change: StructureChange; readonly isLeaf: boolean },
  keptFor: number,
): Promise<Structure> {
  const { structure } = viewer;
  const task = page.boardId === null ? null : await tx.tasks.get(page.workspaceId, page.id);
  if (task !== null) await tx.tasks.remove(task);
  const after = await tx.structures.change(structure, change);
  await insertItem(tx, context, viewer, { task, page, isLeaf, ...belowOf(structure, change) }, keptFor);
  return after;
}

/** @param keptFor in milliseconds */
async function insertItem(
  tx: Transaction,
  context: Context,
  { structure, member }: Viewer,
  deleted: Below & { readonly page: Page | null; readonly task: Task | null; readonly isLeaf: boolean },
  keptFor: number,
): Promise<void> {
  const { page, task, isLeaf, boards, checks } = deleted;
  const { id, workspaceId } = (page ?? task)!;
  const deletedAt = timestamp(context);
  const item: TrashItem = {
    id,
    workspaceId,
    kind: page === null || page.type === 'task' ? 'task' : page.type === 'board' ? 'board' : 'page',
    name: task?.title ?? page!.name,
    deletedById: member.id,
    deletedAt,
    purgeAt: new Date(Date.parse(deletedAt) + keptFor).toISOString(),
    revision: structure.revision,
    page: page === null ? null : storedPage(page),
    task,
    boardId: task?.boardId ?? id,
    isTask: task !== null,
    externalId: task?.externalId ?? null,
    isLeaf,
    counts: { ...deleted.counts, tasks: task === null ? 0 : 1 },
    boards,
    checks,
    by: originOf(context),
  };
  await tx.trash.insert(item);
  await countTrashed(tx, context, item);
}
