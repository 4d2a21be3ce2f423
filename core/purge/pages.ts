import { inheritsFully } from '../access/resolve.ts';
import type { StepPorts } from '../jobs/step.ts';
import { KEY_LIMIT } from '../kernel/order-key.ts';
import type { Purge } from '../model/job.ts';
import type { Page } from '../model/workspace/page.ts';
import type { Transaction } from '../ports/store.ts';
import { removalAudit } from '../write/journal/audit-diff.ts';
import { appendAudit } from '../write/journal/journal.ts';
import { itemOf, trashedPaths } from '../trash/paths.ts';
import { removeHistoriesOf } from './contents.ts';
import { removeTask } from './remove-task.ts';
import type { Purged } from './purged.ts';

/** Levels of the tree that one step descends. Deeper subtrees are purged first, by pushing their top on the stack. */
const LEVELS = 100;

/** Pages of one level below a removed page. */
interface PageRow {
  readonly pages: readonly Page[];
  /** Whether these are all children of the row above. */
  readonly isAll: boolean;
}

/**
 * Removes a batch of the pages below a removed page, from the bottom up, each with its task; after the last batch, the
 * page itself if it is still stored. Boards among them are purged before their pages are removed, so that everything
 * unreachable can be found from stored pages.
 */
export async function purgeBelow(
  tx: Transaction,
  job: Purge,
  pageId: string,
  room: number,
  ports: StepPorts,
): Promise<Purged> {
  const { workspaceId } = job;
  const { rows, kept } = await rowsBelow(tx, job, pageId, room);
  const [deepest] = rows.at(-1)!.pages;
  if (rows.length > LEVELS && deepest !== undefined)
    return { written: 0, done: false, found: [{ kind: 'page', id: deepest.id }] };
  let written = kept;
  // When a whole row is removed, the row above has no children left.
  for (let row = rows.pop(); row !== undefined; row = rows.pop()) {
    const boards = row.pages.filter(({ type }) => type === 'board').map(({ id }) => id);
    const stored = await tx.boards.many(workspaceId, boards);
    if (stored.size > 0) {
      return { written, done: false, found: Array.from(stored.keys(), (id) => ({ kind: 'board', id })) };
    }
    const pages = row.pages.slice(0, Math.max(0, room - written));
    const taskOf = async ({ id, boardId }: Page) => (boardId === null ? null : tx.tasks.get(workspaceId, id));
    // Read together. Removing one changes those that are linked to it.
    await Promise.all(pages.map(taskOf));
    const withoutTask: Page[] = [];
    for (const page of pages) {
      if (written >= room) break;
      const task = await taskOf(page);
      if (task !== null) written += await removeTask(tx, task, ports, { keepsHistory: true });
      withoutTask.push(page);
    }
    // While any are left, the pages stay.
    const ids = withoutTask.map(({ id }) => id);
    const history = await removeHistoriesOf(tx, workspaceId, ids, Math.max(0, room - written));
    written += history.removed;
    const gone = history.more ? [] : withoutTask.slice(0, Math.max(0, room - written));
    await forgetPages(tx, job, gone, ports);
    written += gone.length;
    if (gone.length < row.pages.length || !row.isAll) return { written, done: false, found: [] };
  }
  // The page itself is removed from the store by its deletion.
  const { removed, more } = await removeHistoriesOf(tx, workspaceId, [pageId], Math.max(0, room - written));
  return { written: written + removed, done: !more, found: [] };
}

/**
 * The page itself, if it is stored, then up to `limit` pages of each level below. Pages that are kept for boards in the
 * trash are put under them, and left out.
 */
async function rowsBelow(
  tx: Transaction,
  job: Purge,
  pageId: string,
  limit: number,
): Promise<{ readonly rows: PageRow[]; readonly kept: number }> {
  const { workspaceId } = job;
  const rows: PageRow[] = [{ pages: await tx.structures.stored(workspaceId, [pageId]), isAll: true }];
  let kept = 0;
  // Kept under their boards, pages may stand below each other.
  const met = new Set([pageId]);
  for (let ids = [pageId]; rows.length <= LEVELS && ids.length > 0; ids = rows.at(-1)!.pages.map(({ id }) => id)) {
    const found = await tx.structures.storedBelow(workspaceId, ids, limit);
    if (found.length === 0) break;
    const left = await withoutKept(tx, job, found);
    kept += found.length - left.length;
    const pages = left.filter(({ id }) => !met.has(id));
    for (const { id } of pages) met.add(id);
    rows.push({ pages, isAll: found.length < limit });
  }
  return { rows, kept };
}

/**
 * Pages of tasks that went into the trash with their boards, before the page above them was deleted, are put under those
 * boards: they come back with them.
 *
 * @returns the other pages
 */
async function withoutKept(tx: Transaction, job: Purge, pages: readonly Page[]): Promise<readonly Page[]> {
  const { workspaceId, revision } = job;
  const ofTasks = pages.filter(({ boardId }) => boardId !== null);
  const structure = ofTasks.length === 0 || revision === undefined ? null : await tx.structures.get(workspaceId);
  if (structure === null || revision === undefined) return pages;
  const paths = await trashedPaths(
    tx,
    structure,
    ofTasks.map(({ boardId }) => boardId!),
  );
  const isKept = ({ boardId }: Page): boolean => {
    const item = boardId === null ? null : itemOf(structure, paths, boardId);
    return item !== null && item.revision < revision;
  };
  const kept = ofTasks.filter(isKept).map((page) => ({ ...page, parentId: page.boardId, orderKey: KEY_LIMIT }));
  if (kept.length === 0) return pages;
  await tx.structures.restage(workspaceId, kept);
  return pages.filter((page) => !isKept(page));
}

/** Removes stored pages, and writes audit records on the access removed with them, as the user who deleted them. */
export async function forgetPages(
  tx: Transaction,
  { workspaceId, by }: Purge,
  pages: readonly Page[],
  ports: StepPorts,
): Promise<void> {
  await tx.structures.forget(workspaceId, pages);
  if (by === undefined) return;
  const drafts = pages.filter((page) => !inheritsFully(page)).map(removalAudit);
  await appendAudit(tx, ports, drafts, by);
}
