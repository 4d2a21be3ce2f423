import type { PageAddress } from '../model/address.ts';
import { DENIED, EDIT, FULL, VIEW } from '../model/access/level.ts';
import { viewerOf, levelOn, requireLevel, type Viewer } from '../access/viewer.ts';
import type { Context } from '../ports/context.ts';
import { conflict, forbidden } from '../kernel/errors.ts';
import { enqueuePurge } from '../purge/enqueue-purge.ts';
import { removeTask } from '../purge/remove-task.ts';
import { filterByBoard, storedTasks } from '../task/stored-tasks.ts';
import { expectVersion, type ReadVersion } from '../kernel/record.ts';
import type { Transaction } from '../ports/store.ts';
import type { Precomputed } from '../ports/precomputed.ts';
import { removalOf } from '../tree/removal.ts';
import { inSteps, type Stepwise } from '../kernel/stepwise.ts';
import type { Structure, StructureChange } from '../model/workspace/structure.ts';
import { writeOrPlan } from '../write/write-or-plan.ts';
import { consequencesOf } from '../write/consequences.ts';
import { read, write } from '../write/transaction.ts';
import { INLINE_LIMIT, subtreeOf, SubtreeTooLarge } from './subtree.ts';
import type { Page } from '../model/workspace/page.ts';
import { belowOf, trashPage } from '../trash/put.ts';
import { trashMilliseconds } from '../trash/retention.ts';
import { pageAt } from './read.ts';

/** Options of the deletion of a page, board or task. */
export interface Deletion {
  /** Whether to delete permanently instead of moving to the trash, which needs full access. Default false. */
  readonly permanently?: boolean;
}

/** What `pages.delete` takes. */
export interface DeletePage extends PageAddress, Deletion {}

/**
 * Deletes a page with its descendants and all their content: they go to the trash, unless the store keeps none.
 *
 * @throws `hidden-content` if a descendant that the caller may not see forbids it
 */
export function deletePage(context: Context, input: DeletePage): Promise<void> {
  return deleteInTwoPhases(context, input, async (tx, own, most) => {
    const { viewer, page } = await pageAt(tx, own, input, VIEW);
    await removePage(tx, own, viewer, page, { addressed: page, most, permanently: input.permanently });
  });
}

/**
 * Runs the removal of a page. If the subtree is large, what the removal needs is first computed on a snapshot, so that
 * no writer waits for it.
 */
export function deleteInTwoPhases(
  context: Context,
  { workspaceId, pageId }: PageAddress,
  work: (tx: Transaction, context: Context, most: number) => Promise<void>,
): Promise<void> {
  const plan = (own: Context) =>
    read(own, async (tx): Promise<Precomputed | null> => {
      const viewer = await viewerOf(tx, own, workspaceId);
      const page = viewer.structure.page(pageId);
      // If it is missing or hidden, the write reports that. Otherwise the write needs full access: there is much below it.
      if (page === undefined || levelOn(viewer, page.id) < VIEW) return null;
      requireLevel(levelOn(viewer, page.id), FULL);
      const precomputed: Precomputed = { structure: viewer.structure };
      const { change } = await inSteps(subtreeOf(viewer, page, Infinity, precomputed), viewer.yielder);
      await inSteps(consequencesOfRemoval(viewer.structure, change), viewer.yielder);
      return precomputed;
    });
  return writeOrPlan(context, {
    workspaceId,
    tooLarge: SubtreeTooLarge,
    most: INLINE_LIMIT,
    work: (own, most) => write(own, (tx) => work(tx, own, most)),
    plan,
  });
}

function* consequencesOfRemoval(structure: Structure, change: StructureChange): Stepwise<void> {
  yield* consequencesOf(structure, change);
  yield* belowOf.inSteps(structure, change);
}

/** How a page is removed by a transaction. */
export interface PageRemoval {
  /** The record that the caller addressed, whose version they may expect. */
  readonly addressed: ReadVersion;
  /** Pages that the transaction may visit, see {@link deleteInTwoPhases}. */
  readonly most: number;
  readonly permanently: boolean | undefined;
}

/**
 * Removes a page after checking access to it and all its descendants.
 *
 * @returns the structure without them
 */
export async function removePage(
  tx: Transaction,
  context: Context,
  viewer: Viewer,
  page: Page,
  { addressed, most, permanently = false }: PageRemoval,
): Promise<Structure> {
  const { pages, change, levels } = await inSteps(subtreeOf(viewer, page, most, context.precomputed), viewer.yielder);
  const alone = pages.length === 1 && !(await holdsTasks(tx, page));
  const isLeafDeletion = alone && (page.type === 'task' || page.createdById === viewer.member.id);
  requireLevel(levelOn(viewer, page.id), isLeafDeletion && !permanently ? EDIT : FULL);
  if ([...levels].some((level) => level !== DENIED && level < EDIT)) {
    throw forbidden('This needs Editing on every page nested under it.');
  }
  expectVersion(context, addressed);
  if (levels.has(DENIED)) {
    throw conflict(
      'hidden-content',
      'Your access to what is nested under it does not allow this: ask an owner of the workspace.',
    );
  }
  await inSteps(consequencesOfRemoval(viewer.structure, change), viewer.yielder);
  const keptFor = permanently ? 0 : await trashMilliseconds(tx, context);
  return keptFor > 0
    ? trashPage(tx, context, viewer, { page, change, isLeaf: alone }, keptFor)
    : removeContent(tx, context, viewer.structure, change);
}

async function removeContent(
  tx: Transaction,
  context: Context,
  structure: Structure,
  change: StructureChange,
): Promise<Structure> {
  const workspaceId = structure.workspace.id;
  const removal = removalOf(structure, change);
  // The tasks of all other removed pages become unreachable with them, and are purged.
  for (const page of removal.roots) {
    const task = page.boardId === null ? null : await tx.tasks.get(workspaceId, page.id);
    if (task !== null) await removeTask(tx, task, context);
  }
  const next = await tx.structures.change(structure, change);
  await enqueuePurge(tx, context, structure, removal);
  return next;
}

async function holdsTasks(tx: Transaction, page: Page): Promise<boolean> {
  return (
    page.type === 'board' &&
    (await storedTasks(tx, page.workspaceId, { filters: filterByBoard(page.id), limit: 1 })).length > 0
  );
}
