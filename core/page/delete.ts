import { DENIED, EDIT, FULL, VIEW } from '../access/level.ts';
import { enter, levelOn, requireLevel, type Viewer } from '../access/viewer.ts';
import type { Context } from '../context.ts';
import { conflict, forbidden } from '../errors.ts';
import { purgeLater, removeTask, tasksOfBoard } from '../purge-step.ts';
import { expectVersion } from '../record.ts';
import type { Transaction } from '../store.ts';
import type { Structure } from '../structure/structure.ts';
import { write } from '../transaction.ts';
import type { Page } from './page.ts';
import { pageAt } from './read.ts';

/**
 * Deletes a page, all nested under it, and the content of all of it.
 *
 * @throws `hidden-content` when something nested that the caller may not see forbids it
 */
export function deletePage(
  context: Context,
  input: { readonly workspaceId: string; readonly pageId: string },
): Promise<void> {
  return write(context, async (tx) => {
    const viewer = await enter(tx, context, input.workspaceId);
    const page = pageAt(viewer, input.pageId, VIEW);
    await removePage(tx, context, viewer, page, page);
  });
}

/**
 * Removes a page after checking it and everything nested under it.
 *
 * @param addressed the record that the caller named, whose version they may expect
 */
export async function removePage(
  tx: Transaction,
  context: Context,
  viewer: Viewer,
  page: Page,
  addressed: { readonly version: number },
): Promise<void> {
  const nested = nestedUnder(viewer.structure, page);
  const alone = nested.length === 0 && !(await holdsTasks(tx, page));
  const mild = alone && (page.type === 'task' || page.createdById === viewer.member.id);
  requireLevel(levelOn(viewer, page.id), mild ? EDIT : FULL);
  const forNested = nested.map((below) => levelOn(viewer, below.id));
  if (forNested.some((level) => level !== DENIED && level < EDIT)) {
    throw forbidden('This needs editing on every page nested under it.');
  }
  expectVersion(context, addressed);
  if (forNested.includes(DENIED)) {
    throw conflict('hidden-content', 'Something nested under it forbids this: ask an owner of the workspace.');
  }
  await removeContent(tx, context, viewer.structure, [page, ...nested]);
}

async function removeContent(
  tx: Transaction,
  context: Context,
  structure: Structure,
  pages: readonly Page[],
): Promise<void> {
  const workspaceId = structure.workspace.id;
  const boards = new Set(pages.filter((page) => page.type === 'board').map((page) => page.id));
  for (const page of pages) {
    // The tasks of a removed board are out of reach with it, and purged with it.
    if (page.boardId === null || boards.has(page.boardId)) continue;
    const task = await tx.tasks.get(workspaceId, page.id);
    if (task !== null) await removeTask(tx, task);
  }
  await tx.structures.change(structure, { removedPages: pages.map((page) => page.id) });
  await purgeLater(tx, context, structure, pages);
}

async function holdsTasks(tx: Transaction, page: Page): Promise<boolean> {
  return page.type === 'board' && (await tasksOfBoard(tx, page.workspaceId, page.id, 1)).length > 0;
}

/** All below a page, and for each board among them the pages of its tasks, wherever they stand. */
function nestedUnder(structure: Structure, root: Page): Page[] {
  const seen = new Set([root.id]);
  const nested: Page[] = [];
  let taskPages: ReadonlyMap<string, readonly Page[]> | undefined;
  const queue = [root];
  const add = (pages: readonly Page[]) => {
    for (const page of pages) {
      if (seen.has(page.id)) continue;
      seen.add(page.id);
      nested.push(page);
      queue.push(page);
    }
  };
  for (let page = queue.pop(); page !== undefined; page = queue.pop()) {
    add(structure.children(page.id));
    if (page.type !== 'board') continue;
    taskPages ??= taskPagesByBoard(structure);
    add(taskPages.get(page.id) ?? []);
  }
  return nested;
}

function taskPagesByBoard(structure: Structure): ReadonlyMap<string, readonly Page[]> {
  const byBoard = new Map<string, Page[]>();
  for (const page of structure.pages()) {
    if (page.boardId === null) continue;
    const pages = byBoard.get(page.boardId);
    if (pages === undefined) byBoard.set(page.boardId, [page]);
    else pages.push(page);
  }
  return byBoard;
}
