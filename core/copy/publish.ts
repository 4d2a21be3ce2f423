import { notFound } from '../kernel/errors.ts';
import { keyAfter } from '../kernel/order-key.ts';
import { timestamp } from '../kernel/record.ts';
import type { Board } from '../model/content/board.ts';
import type { Page } from '../model/workspace/page.ts';
import type { Task } from '../model/content/task.ts';
import { newPage } from '../page/create.ts';
import { placeLast } from '../page/place.ts';
import { type CopyState, idOfCopy } from './copy-state.ts';

/**
 * Puts the pages of a copy in place, and all that was staged with them. Boards, and pages of tasks, that came since they
 * were staged are left out with what is below them, and so are boards of which only a part was in sight.
 */
export async function publish(state: CopyState): Promise<void> {
  const { tx, ports, job, viewer } = state;
  const now = timestamp(ports);
  // Done first, as a copy that waits for room looks for it again and again.
  const { orderKey, moved } = placeLast(viewer, job.parentId);
  const pages = await copiedPages(state, now);
  const [root, ...others] = pages;
  if (root === undefined) throw notFound();
  await tx.structures.change(viewer.structure, {
    pages: [...moved, { ...root, orderKey }, ...others],
    shows: true,
  });
  const purge = await tx.jobs.get(job.workspaceId, job.purgeId);
  if (purge?.kind !== 'purge') return;
  const placed = new Set(pages.map(({ id }) => id));
  const boards = purge.boards.filter((id) => !placed.has(id));
  if (boards.length === 0) await tx.jobs.remove(purge);
  else await tx.jobs.replace({ ...purge, boards, notBefore: null });
}

/**
 * Without entries and settings: the page above the copy governs it. Named as what they show, which was staged before. In
 * the order of their sources, which is that of the pages themselves: keys of several may be the same.
 */
async function copiedPages(state: CopyState, at: string): Promise<readonly Page[]> {
  const { ports, job, viewer } = state;
  const staged = await stagedFor(state);
  const lastKeys = new Map<string | null, number>();
  return (await placedPages(state, staged)).map((page) => {
    const id = idOfCopy(job, page.id);
    const isRoot = page.id === job.sourceId;
    const { type, metadata } = page;
    const [board, task] = [staged.boards.get(id), staged.tasks.get(id)];
    const name = isRoot ? job.name : (board?.name ?? task?.title ?? page.name);
    const parentId = isRoot ? job.parentId : idOfCopy(job, page.parentId!);
    const made = newPage(ports, viewer, { id, name, type, parentId, at, metadata });
    const contentId = board === undefined && task === undefined ? null : id;
    const orderKey = keyAfter(lastKeys.get(parentId))!;
    lastKeys.set(parentId, orderKey);
    return { ...made, orderKey, contentId, boardId: task?.boardId ?? null };
  });
}

/** What was staged for the pages, by the id of the copy. */
interface Staged {
  readonly boards: ReadonlyMap<string, Board>;
  readonly tasks: ReadonlyMap<string, Task>;
}

async function stagedFor({ tx, job, viewer, pages }: CopyState): Promise<Staged> {
  const { workspaceId, lost = [] } = job;
  const whole = pages.filter(({ id, type }) => type === 'board' && !lost.includes(id));
  const boards = await tx.boards.many(
    workspaceId,
    whole.map(({ id }) => idOfCopy(job, id)),
  );
  const tasks = new Map<string, Task>();
  for (const { id, type } of pages) {
    const task = type === 'task' && job.tasks ? await tx.tasks.get(workspaceId, idOfCopy(job, id)) : null;
    if (task !== null) tasks.set(task.id, task);
    const pause = viewer.yielder.step();
    if (pause !== null) await pause;
  }
  return { boards, tasks };
}

/**
 * The pages whose copies are put in place. Those of a task are left out if it was not there when its board was copied,
 * or if it was staged on a board that is left out: it is purged with that board. The page of a task on a board that is
 * not copied stands alone. O(pages) once, and again where pages are left out with their tasks.
 */
async function placedPages({ job, viewer, pages }: CopyState, { boards, tasks }: Staged): Promise<readonly Page[]> {
  const isMissing = ({ id, type, boardId }: Page): boolean => {
    if (type === 'board') return !boards.has(idOfCopy(job, id));
    return job.tasks && boardId !== null && boards.has(idOfCopy(job, boardId)) && !tasks.has(idOfCopy(job, id));
  };
  let left = pages.filter((page) => !isMissing(page));
  for (;;) {
    const placed = new Set<string>();
    const copies = new Set<string>();
    left = left.filter(({ id, parentId }) => {
      if (id !== job.sourceId && !placed.has(parentId!)) return false;
      placed.add(id);
      copies.add(idOfCopy(job, id));
      return true;
    });
    const before = left.length;
    left = left.filter(({ id }) => {
      const task = tasks.get(idOfCopy(job, id));
      return task === undefined || copies.has(task.boardId);
    });
    if (left.length === before) return left;
    const pause = viewer.yielder.step(before);
    if (pause !== null) await pause;
  }
}
