import type { StepPorts } from '../jobs/step.ts';
import type { Purge } from '../model/job.ts';
import type { Transaction } from '../ports/store.ts';
import type { Page } from '../model/workspace/page.ts';
import { removeContentsOfBoard, removeHistoriesOf } from './contents.ts';
import { forgetPages } from './pages.ts';
import { filterByBoard, storedTasks } from '../task/stored-tasks.ts';
import { removeTask } from './remove-task.ts';
import { purgeTrashOfBoard } from './trash.ts';
import type { Purged } from './purged.ts';

/** Records that are written to take a task out of the trash, with comments. */
const WRITES_OF_ITEM = 10;

/**
 * Removes a batch of the tasks of a deleted board, with their comments and pages; after the last batch, the board
 * itself.
 */
export async function purgeBoard(
  tx: Transaction,
  job: Purge,
  boardId: string,
  room: number,
  ports: StepPorts,
): Promise<Purged> {
  const { workspaceId } = job;
  const structure = await tx.structures.get(workspaceId);
  // The board is reachable: an import has published it since.
  if (structure?.page(boardId) !== undefined) return { written: 0, done: true, found: [] };
  const tasks = await storedTasks(tx, workspaceId, { filters: filterByBoard(boardId), limit: room });
  const ids = tasks.map(({ id }) => id);
  const pages = new Map((await tx.structures.stored(workspaceId, ids)).map((page) => [page.id, page]));
  // The board may stand below the page of one of its tasks: such a page waits on the stack, and goes after the board.
  const waiting = new Set((job.found ?? []).filter(({ kind }) => kind === 'page').map(({ id }) => id));
  const others = [...pages.keys()].filter((id) => !waiting.has(id));
  const below = others.length === 0 ? [] : await tx.structures.storedBelow(workspaceId, others, room);
  if (below.length > 0) {
    const found = [...new Set(below.map(({ parentId }) => parentId!))].map((id) => ({ kind: 'page', id }) as const);
    return { written: 0, done: false, found };
  }
  // Nothing adds to these histories any more: links between tasks of the board are left as they are.
  const history = await removeHistoriesOf(tx, workspaceId, ids, room);
  if (history.more) return { written: history.removed, done: false, found: [] };
  let written = history.removed;
  const gone: Page[] = [];
  for (const task of tasks) {
    if (written >= room) break;
    written += await removeTask(tx, task, ports, { goneBoardId: boardId, keepsHistory: true });
    const page = pages.get(task.id);
    if (page === undefined || waiting.has(page.id)) continue;
    gone.push(page);
    written += 1;
  }
  await forgetPages(tx, job, gone, ports);
  if (written >= room) return { written, done: false, found: [] };
  const items = await purgeTrashOfBoard(tx, ports, workspaceId, boardId);
  if (items > 0) return { written: written + items * WRITES_OF_ITEM, done: false, found: [] };
  const { removed, more } = await removeContentsOfBoard(tx, workspaceId, boardId, room - written);
  if (more) return { written: written + removed, done: false, found: [] };
  const board = await tx.boards.get(workspaceId, boardId);
  if (board !== null) await tx.boards.remove(board);
  return { written: written + removed + 1, done: true, found: [] };
}
