import type { StepPorts } from '../jobs/step.ts';
import { notFound } from '../kernel/errors.ts';
import { timestamp } from '../kernel/record.ts';
import type { Page } from '../model/page.ts';
import { newPage } from '../page/create.ts';
import { placeLast } from '../page/place.ts';
import type { Transaction } from '../ports/store.ts';
import { type Copying, idIn } from './copying.ts';

/**
 * Puts the pages of a copy in place, and all that was staged with them. Boards, and pages of tasks, that came since they
 * were staged are left out with what is below them.
 */
export async function publish(tx: Transaction, copying: Copying, ports: StepPorts): Promise<void> {
  const { job, viewer } = copying;
  const now = timestamp(ports);
  const pages = await copiedPages(tx, copying, ports, now);
  const { orderKey, moved } = placeLast(viewer, job.parentId, now);
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

/** Without entries and settings: the page above the copy governs it. */
async function copiedPages(
  tx: Transaction,
  { job, viewer, pages }: Copying,
  ports: StepPorts,
  at: string,
): Promise<readonly Page[]> {
  const { workspaceId, sourceId } = job;
  const boards = pages.filter(({ type }) => type === 'board').map(({ id }) => idIn(job, id));
  const staged = await tx.boards.many(workspaceId, boards);
  const copied: Page[] = [];
  const parents = new Set<string>();
  for (const page of pages) {
    const id = idIn(job, page.id);
    const isRoot = page.id === sourceId;
    const { type, parentId: above } = page;
    if ((!isRoot && !parents.has(above!)) || (type === 'board' && !staged.has(id))) continue;
    const boardId = await boardOf(tx, copiedBoards, page, id);
    if (boardId === undefined) continue;
    parents.add(page.id);
    const name = isRoot ? job.name : page.name;
    const parentId = isRoot ? job.parentId : idIn(job, above!);
    const made = newPage(ports, viewer, { id, name, type, parentId, at, metadata: page.metadata });
    const contentId = type === 'board' || boardId !== null ? id : null;
    copied.push({ ...made, orderKey: page.orderKey, contentId, boardId });
    const pause = viewer.yielder.step();
    if (pause !== null) await pause;
  }
  return copied;

  function copiedBoards(id: string): string | null {
    const copy = idIn(job, id);
    return staged.has(copy) ? copy : null;
  }
}

/**
 * The board of the copy of a task's page. Null: its task is on a board that is not copied, so the page stands alone.
 * Undefined: the task was not there when its board was copied.
 */
async function boardOf(
  tx: Transaction,
  copied: (boardId: string) => string | null,
  { boardId, workspaceId }: Page,
  id: string,
): Promise<string | null | undefined> {
  const board = boardId === null ? null : copied(boardId);
  if (board === null) return null;
  return (await tx.tasks.get(workspaceId, id)) === null ? undefined : board;
}
