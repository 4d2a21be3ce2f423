import { leaveJob } from '../jobs/leave-job.ts';
import { RECORDS_PER_STEP } from '../jobs/step.ts';
import type { Purge } from '../model/job.ts';
import type { Structure } from '../model/structure.ts';
import type { Task } from '../model/task.ts';
import type { Context } from '../ports/context.ts';
import type { ReadTransaction, Transaction } from '../ports/store.ts';
import type { Removal } from '../tree/removal.ts';

/** Boards, and pages, that one job names at most: it is written anew with every board that is gone. */
const LISTED = 500;

/** Leaves what lies on and below removed pages, out of reach from now on, to be removed. */
export async function purgeLater(
  tx: Transaction,
  context: Context,
  structure: Structure,
  removal: Removal,
): Promise<void> {
  const boards = removal.pages.filter((page) => page.type === 'board').map((page) => page.id);
  const pages = removal.topmost.filter((page) => structure.children(page.id).length > 0).map((page) => page.id);
  const common = { kind: 'purge', workspaceId: structure.workspace.id, notBefore: null } as const;
  for (let i = 0; i < Math.max(boards.length, pages.length); i += LISTED) {
    const listed = { boards: boards.slice(i, i + LISTED), pages: pages.slice(i, i + LISTED) };
    await leaveJob(tx, context, { id: context.ids.next(), ...common, ...listed });
  }
}

const PAGES_PER_STEP = 500;

export async function purgeStep(tx: Transaction, job: Purge): Promise<Purge | null> {
  const { workspaceId, boards, pages = [] } = job;
  const [pageId] = pages;
  const [taskId] = job.tasks ?? [];
  if (taskId !== undefined) {
    if (await tx.comments.removeOfTask(workspaceId, taskId, RECORDS_PER_STEP)) return job;
    const { tasks: _, ...rest } = job;
    const left = job.tasks?.slice(1) ?? [];
    return left.length + boards.length + pages.length === 0
      ? null
      : { ...rest, ...(left.length > 0 && { tasks: left }) };
  }
  if (boards.length > 0) {
    const left = await purgeBoards(tx, workspaceId, boards);
    return left.length + pages.length === 0 ? null : { ...job, boards: left };
  }
  if (pageId !== undefined && (await tx.structures.sweep(workspaceId, pageId, PAGES_PER_STEP))) return job;
  return pages.length <= 1 ? null : { ...job, pages: pages.slice(1) };
}

/** @returns the boards that are left */
async function purgeBoards(
  tx: Transaction,
  workspaceId: string,
  boards: readonly string[],
): Promise<readonly string[]> {
  const structure = await tx.structures.get(workspaceId);
  let room = RECORDS_PER_STEP;
  for (const [i, boardId] of boards.entries()) {
    // Within reach after all: whoever put it there has answered for it.
    if (structure?.page(boardId) !== undefined) continue;
    const tasks = await tasksOfBoard(tx, workspaceId, boardId, room);
    for (const task of tasks) {
      if (room <= 0) break;
      await removeTask(tx, task);
      room -= 1 + Math.min(task.commentCount, COMMENTS_AT_ONCE);
    }
    if (room <= 0) return boards.slice(i);
    const board = await tx.boards.get(workspaceId, boardId);
    if (board !== null) await tx.boards.remove(board);
    room -= 1;
    if (room <= 0) return boards.slice(i + 1);
  }
  return [];
}

/** Comments that are removed with their task. The rest of many is left to a job. */
const COMMENTS_AT_ONCE = 50;

/** Removes a task with its comments: nobody reaches those that are left for now. */
export async function removeTask(tx: Transaction, task: Task, context?: Pick<Context, 'effects'>): Promise<void> {
  const { id, workspaceId } = task;
  await tx.tasks.remove(task);
  if (task.commentCount === 0 || !(await tx.comments.removeOfTask(workspaceId, id, COMMENTS_AT_ONCE))) return;
  // The id of the task serves for the job: each is removed once.
  await tx.jobs.insert({ kind: 'purge', id, workspaceId, boards: [], tasks: [id], notBefore: null });
  if (context?.effects !== undefined) context.effects.jobs = true;
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
