import type { Context, Ports } from '../ports/context.ts';
import { timestamp } from '../kernel/record.ts';
import type { Purge } from '../model/purge.ts';
import type { ReadTransaction, Transaction } from '../ports/store.ts';
import type { Structure } from '../model/structure.ts';
import type { Removal } from '../tree/removal.ts';
import type { Task } from '../model/task.ts';

/** Leaves what lies on and below removed pages, out of reach from now on, to be removed. */
export async function purgeLater(
  tx: Transaction,
  context: Context,
  structure: Structure,
  removal: Removal,
): Promise<void> {
  const boards = removal.pages.filter((page) => page.type === 'board').map((page) => page.id);
  const pages = removal.topmost.filter((page) => structure.children(page.id).length > 0);
  if (boards.length === 0 && pages.length === 0) return;
  const left = { boards, pages: pages.map((page) => page.id) };
  await tx.purges.insert({ id: context.ids.next(), workspaceId: structure.workspace.id, ...left, notBefore: null });
  if (context.effects !== undefined) context.effects.purge = true;
}

const LOOKED_AT = 100;
const TASKS_PER_STEP = 100;
const PAGES_PER_STEP = 500;

/**
 * Removes a part of what is waiting to be removed, in one transaction.
 *
 * @returns whether anything is left
 */
export function purgeStep(ports: Pick<Ports, 'store' | 'clock'>): Promise<boolean> {
  return ports.store.write(async (tx) => {
    const now = timestamp(ports);
    const waiting = await tx.purges.list(LOOKED_AT);
    const purge = waiting.find(({ notBefore }) => notBefore === null || notBefore <= now);
    if (purge === undefined) return false;
    const boardId = purge.boards[0];
    if (boardId === undefined) {
      await sweepPages(tx, purge);
      return true;
    }
    const rest = { ...purge, boards: purge.boards.slice(1) };
    const structure = await tx.structures.get(purge.workspaceId);
    if (structure?.page(boardId) !== undefined) {
      // Within reach after all: whoever put it there has answered for it.
      await tx.purges.replace(rest);
      return true;
    }
    const tasks = await tasksOfBoard(tx, purge.workspaceId, boardId, TASKS_PER_STEP);
    for (const task of tasks) await removeTask(tx, task);
    if (tasks.length === TASKS_PER_STEP) return true;
    const board = await tx.boards.get(purge.workspaceId, boardId);
    if (board !== null) await tx.boards.remove(board);
    await tx.purges.replace(rest);
    return true;
  });
}

async function sweepPages(tx: Transaction, purge: Purge): Promise<void> {
  const [pageId, ...rest] = purge.pages ?? [];
  if (pageId === undefined) await tx.purges.remove(purge);
  else if (!(await tx.structures.sweep(purge.workspaceId, pageId, PAGES_PER_STEP))) {
    await tx.purges.replace({ ...purge, pages: rest });
  }
}

export async function removeTask(tx: Transaction, task: Task): Promise<void> {
  if (task.commentCount > 0) await tx.comments.removeOfTask(task.workspaceId, task.id);
  await tx.tasks.remove(task);
}

/** Whoever may see them: for use inside the engine. By running number, which the index of a board gives in order. */
export async function tasksOfBoard(
  tx: Pick<ReadTransaction, 'tasks'>,
  workspaceId: string,
  boardId: string,
  limit: number,
): Promise<readonly Task[]> {
  return (await tx.tasks.find({
    workspaceId,
    scope: null,
    filters: [{ field: 'boardId', in: [boardId] }],
    sort: [
      { field: 'num', descending: false },
      { field: 'id', descending: false },
    ],
    after: null,
    limit,
  })) as readonly Task[];
}
