import { DENIED, EDIT, FULL, VIEW, type Level } from '../access/level.ts';
import { levelUnder } from '../access/resolve.ts';
import { enter, levelOn, requireLevel, type Viewer } from '../access/viewer.ts';
import type { Context } from '../context.ts';
import { conflict, forbidden } from '../errors.ts';
import { purgeLater, removeTask, tasksOfBoard } from '../purge-step.ts';
import { expectVersion } from '../record.ts';
import type { Transaction } from '../store.ts';
import { removalOf, removing } from '../structure/removal.ts';
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
  const { ids, levels } = withAllNested(viewer, page);
  const alone = ids.size === 1 && !(await holdsTasks(tx, page));
  const mild = alone && (page.type === 'task' || page.createdById === viewer.member.id);
  requireLevel(levelOn(viewer, page.id), mild ? EDIT : FULL);
  if ([...levels].some((level) => level !== DENIED && level < EDIT)) {
    throw forbidden('This needs editing on every page nested under it.');
  }
  expectVersion(context, addressed);
  if (levels.has(DENIED)) {
    throw conflict('hidden-content', 'Something nested under it forbids this: ask an owner of the workspace.');
  }
  await removeContent(tx, context, viewer.structure, ids);
}

async function removeContent(
  tx: Transaction,
  context: Context,
  structure: Structure,
  ids: ReadonlySet<string>,
): Promise<void> {
  const workspaceId = structure.workspace.id;
  const change = removing(structure, ids);
  const removal = removalOf(structure, change);
  for (const page of removal.pages) {
    // The tasks of a removed board are out of reach with it, and purged with it.
    if (page.boardId === null || ids.has(page.boardId)) continue;
    const task = await tx.tasks.get(workspaceId, page.id);
    if (task !== null) await removeTask(tx, task);
  }
  await tx.structures.change(structure, change);
  await purgeLater(tx, context, structure, removal);
}

async function holdsTasks(tx: Transaction, page: Page): Promise<boolean> {
  return page.type === 'board' && (await tasksOfBoard(tx, page.workspaceId, page.id, 1)).length > 0;
}

/**
 * A page and all below it, and for each board among them the pages of its tasks, wherever they stand; and which levels
 * the viewer has on them.
 */
function withAllNested(viewer: Viewer, root: Page): { ids: ReadonlySet<string>; levels: ReadonlySet<Level> } {
  const { structure, standing } = viewer;
  const ids = new Set<string>();
  const pages: Page[] = [];
  const levels: Level[] = [];
  const add = (page: Page, level: Level) => {
    ids.add(page.id);
    pages.push(page);
    levels.push(level);
  };
  let taskPages: ReadonlyMap<string, readonly Page[]> | undefined;
  add(root, levelOn(viewer, root.id));
  for (let i = 0; i < pages.length; i += 1) {
    const { id, type } = pages[i]!;
    for (const child of structure.children(id)) {
      if (!ids.has(child.id)) add(child, levelUnder(child, standing, levels[i]!));
    }
    if (type !== 'board') continue;
    taskPages ??= taskPagesByBoard(structure);
    for (const page of taskPages.get(id) ?? []) if (!ids.has(page.id)) add(page, levelOn(viewer, page.id));
  }
  return { ids, levels: new Set(levels) };
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
