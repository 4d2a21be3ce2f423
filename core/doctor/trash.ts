import { eachCommentOf } from '../comment/of-task.ts';
import { sameJson } from '../kernel/partial-update.ts';
import type { Page } from '../model/workspace/page.ts';
import type { Structure } from '../model/workspace/structure.ts';
import type { Task } from '../model/content/task.ts';
import type { LinkGraph } from '../link/graph.ts';
import { NOTHING_TRASHED } from '../model/trash-counts.ts';
import type { TrashItem } from '../model/trash-item.ts';
import type { ReadTransaction } from '../ports/store.ts';
import type { Yielder } from '../ports/yielder.ts';
import { itemOf, trashedPaths } from '../trash/paths.ts';
import { totalsAfter, trashTotals } from '../trash/totals.ts';
import type { Report } from './finding.ts';

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
  for (let after: TrashItem | null = null; ;) {
    const items: readonly TrashItem[] = await tx.trash.list('due', { workspaceId }, { after, limit: CHUNK });
    for (const item of items) {
      const { id, task, purgeAt } = item;
      totals = totalsAfter(totals, item.counts, 1);
      if (due === null || due > purgeAt) report('content', id, 'is in the trash, and nothing removes it');
      if (structure.page(id) !== undefined) report('content', id, 'is in the trash and in the tree');
      if (task !== null) {
        links.add(task);
        await checkTask(tx, task, report);
      }
      if (
        item.page !== null &&
        item.page.boardId !== null &&
        task === null &&
        (await tx.tasks.get(workspaceId, id)) === null
      )
        report('reference', id, 'is in the trash without its task');
      if (item.page !== null && item.counts.pages > 1) await checkBelow(tx, item, report, yielder);
      const pause = yielder.step();
      if (pause !== null) await pause;
    }
    if (items.length < CHUNK) break;
    after = items.at(-1)!;
  }
  const known = await trashTotals(tx, workspaceId);
  if (!sameJson(known, totals)) report('content', workspaceId, 'counts its trash wrong');
}

async function checkTask(tx: ReadTransaction, task: Task, report: Report): Promise<void> {
  const { id, workspaceId, boardId } = task;
  if ((await tx.tasks.get(workspaceId, id)) !== null) report('content', id, 'is in the trash and on its board');
  if ((await tx.boards.get(workspaceId, boardId)) === null) {
    report('reference', id, 'is in the trash, from a board that is not there');
  }
  let comments = 0;
  for await (const _ of eachCommentOf(tx, task)) comments += 1;
  if (comments !== task.commentCount) {
    report('comment', id, `has ${comments} comments and counts ${task.commentCount}`);
  }
}

/** Pages of tasks below an item come back with their tasks. */
async function checkBelow(
  tx: ReadTransaction,
  { id, workspaceId }: TrashItem,
  report: Report,
  yielder: Yielder,
): Promise<void> {
  const { structures, tasks } = tx;
  const waiting = [id];
  const checkPages = async (pages: readonly Page[]): Promise<void> => {
    for (const page of pages) {
      waiting.push(page.id);
      if (page.boardId !== null && (await tasks.get(workspaceId, page.id)) === null) {
        report('reference', page.id, 'is in the trash without its task');
      }
      const pause = yielder.step();
      if (pause !== null) await pause;
    }
  };
  for (let parentId = waiting.pop(); parentId !== undefined; parentId = waiting.pop()) {
    for (let after: Page | null = null; ;) {
      const some: readonly Page[] = await structures.storedChildren(workspaceId, parentId, after, CHUNK);
      await checkPages(some);
      if (some.length < CHUNK) break;
      after = some.at(-1)!;
    }
  }
}
