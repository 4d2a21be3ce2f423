import type { Viewer } from '../access/viewer.ts';
import { eachCommentOf } from '../comment/of-task.ts';
import { sameJson } from '../kernel/partial-update.ts';
import { readSlices } from '../kernel/slices.ts';
import type { Page } from '../model/workspace/page.ts';
import type { Structure } from '../model/workspace/structure.ts';
import type { Task } from '../model/content/task.ts';
import type { LinkGraph } from '../link/graph.ts';
import { NOTHING_TRASHED } from '../model/trash-counts.ts';
import type { TrashItem } from '../model/trash-item.ts';
import type { ReadTransaction } from '../ports/store.ts';
import type { Yielder } from '../ports/yielder.ts';
import { tasksById } from '../task/by-id.ts';
import { causeIn, itemOf, trashedPaths } from '../trash/paths.ts';
import { totalsAfter, trashTotals } from '../trash/totals.ts';
import type { Report } from './finding.ts';
import { readTogether } from '../task/read-together.ts';

const CHUNK = 500;

/** Unreachable tasks, which are looked up in the trash together. */
export class UnreachableTasks {
  readonly #tx: ReadTransaction;
  readonly #structure: Structure;
  #waiting: { readonly pageId: string; readonly report: () => void }[] = [];

  constructor(tx: ReadTransaction, structure: Structure) {
    this.#tx = tx;
    this.#structure = structure;
  }

  /** @param report called if the task is not in the trash */
  async add({ id, boardId }: Task, report: () => void): Promise<void> {
    const pageId = this.#structure.page(boardId) === undefined ? boardId : id;
    this.#waiting.push({ pageId, report });
    if (this.#waiting.length >= CHUNK) await this.settle();
  }

  async settle(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = [];
    const ids = new Set(waiting.map(({ pageId }) => pageId));
    const paths = await trashedPaths(this.#tx, this.#structure, ids);
    for (const { pageId, report } of waiting) if (itemOf(this.#structure, paths, pageId) === null) report();
  }
}

/** Checks that everything in the trash can be restored, and is removed when it is due. */
export async function trashFindings(
  tx: ReadTransaction,
  structure: Structure,
  report: Report,
  yielder: Yielder,
  links: LinkGraph,
): Promise<void> {
  const { id: workspaceId } = structure.workspace;
  const job = await tx.jobs.get(workspaceId, workspaceId);
  const due = job?.kind === 'trash-purge' ? (job.notBefore ?? '') : null;
  let totals = NOTHING_TRASHED;
  const slices = readSlices<TrashItem>(CHUNK, (part) => tx.trash.list('due', { workspaceId }, part));
  for await (const items of slices) {
    for (const item of items) {
      const { id, task, purgeAt } = item;
      totals = totalsAfter(totals, item.counts, 1);
      if (due === null || due > purgeAt) report('content', id, 'is in the trash, but no job removes it');
      if (structure.page(id) !== undefined) report('content', id, 'is in the trash and in the tree');
      if (task !== null) links.add(task);
    }
    for (const some of readTogether(items, ({ task }) => task?.commentCount ?? 0)) {
      await checkItems(tx, some, report, { structure, yielder });
    }
  }
  const known = await trashTotals(tx, workspaceId);
  if (!sameJson(known, totals)) report('content', workspaceId, 'counts its trash wrongly');
}

async function checkItems(
  tx: ReadTransaction,
  items: readonly TrashItem[],
  report: Report,
  viewer: Pick<Viewer, 'structure' | 'yielder'>,
): Promise<void> {
  await Promise.all(items.map((item) => checkContent(tx, item, report)));
  for (const item of items) {
    if (item.page !== null && item.counts.pages > 1) await checkBelow(tx, item, report, viewer);
    const pause = viewer.yielder.step();
    if (pause !== null) await pause;
  }
}

/** The task of an item is with it or, if it has a page, where the tasks are. */
async function checkContent(tx: ReadTransaction, item: TrashItem, report: Report): Promise<void> {
  const { id, workspaceId, task, page } = item;
  if (task !== null) return checkTask(tx, task, report);
  if (page === null || page.boardId === null) return;
  if ((await tx.tasks.get(workspaceId, id)) === null) report('reference', id, 'is in the trash without its task');
}

async function checkTask(tx: ReadTransaction, task: Task, report: Report): Promise<void> {
  const { id, workspaceId, boardId } = task;
  const [onBoard, board, comments] = await Promise.all([
    tx.tasks.get(workspaceId, id),
    tx.boards.get(workspaceId, boardId),
    countComments(tx, task),
  ]);
  if (onBoard !== null) report('content', id, 'is in the trash and on its board');
  if (board === null) report('reference', id, 'is in the trash, from a board that does not exist');
  if (comments !== task.commentCount) {
    report('comment', id, `has ${comments} comments and counts ${task.commentCount}`);
  }
}

async function countComments(tx: ReadTransaction, task: Task): Promise<number> {
  let comments = 0;
  for await (const _ of eachCommentOf(tx, task)) comments += 1;
  return comments;
}

/** Pages whose children are read together. */
const PARENTS_TOGETHER = 16;

/** Pages of tasks below an item come back with their tasks. */
async function checkBelow(
  tx: ReadTransaction,
  { id, workspaceId }: TrashItem,
  report: Report,
  within: Pick<Viewer, 'structure' | 'yielder'>,
): Promise<void> {
  const waiting: { readonly parentId: string; readonly after: Page | null }[] = [{ parentId: id, after: null }];
  while (waiting.length > 0) {
    const some = waiting.splice(-PARENTS_TOGETHER);
    const slices = await Promise.all(
      some.map(({ parentId, after }) => tx.structures.storedChildren(workspaceId, parentId, after, CHUNK)),
    );
    for (const [n, pages] of slices.entries()) {
      if (pages.length === CHUNK) waiting.push({ parentId: some[n]!.parentId, after: pages.at(-1)! });
      for (const page of pages) waiting.push({ parentId: page.id, after: null });
      const ofTasks = pages.filter(({ boardId }) => boardId !== null);
      const tasks = await tasksById(
        tx,
        within,
        ofTasks.map((page) => page.id),
      );
      const withoutTask = ofTasks.filter((_, m) => tasks[m] === null);
      for (const page of await restorable(tx, within, withoutTask)) {
        report('reference', page.id, 'is in the trash without its task');
      }
      const pause = within.yielder.step(pages.length);
      if (pause !== null) await pause;
    }
  }
}

/** The pages of which everything they depend on still exists. What else is below an item waits to be purged. */
async function restorable(
  tx: ReadTransaction,
  { structure, yielder }: Pick<Viewer, 'structure' | 'yielder'>,
  pages: readonly Page[],
): Promise<readonly Page[]> {
  if (pages.length === 0) return pages;
  const ids = pages.map(({ id }) => id);
  const paths = await trashedPaths(tx, structure, ids, yielder);
  return pages.filter(({ id }) => {
    const { isGone, goneAbove } = causeIn(structure, paths, id);
    return !isGone && goneAbove.length === 0;
  });
}
