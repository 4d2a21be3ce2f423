import type { Page } from '../model/workspace/page.ts';
import { addToList } from '../kernel/group.ts';
import { GrowingMap } from './layered-map.ts';

/** The key of pages at the top, in place of a parent's id. */
export const TOP = '';

/**
 * Drops unreachable pages from stored ones. A page is reachable if its parent is and, for the page of a task, its board
 * is. So everything below a removed page is unreachable before it is removed itself.
 *
 * @param pages by id; unreachable ones are deleted
 * @param children by the id of their parent, or {@link TOP}; unreachable ones are deleted
 * @returns the removed tasks of reachable boards, see `Structure.removedTasks`. O(pages)
 */
export function* dropUnreachable(
  pages: GrowingMap<Page>,
  children: GrowingMap<Page[]>,
): Generator<void, readonly string[], void> {
  const reached = new GrowingMap<Page>();
  const taskPages: Page[] = [];
  const waiting = [TOP];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    for (const page of children.get(at) ?? []) {
      reached.set(page.id, page);
      waiting.push(page.id);
      if (page.boardId !== null) taskPages.push(page);
      yield;
    }
  }
  const lost = yield* dropWithBoards(reached, taskPages, children);
  if (reached.size === pages.size) return [];
  const removedTasks: string[] = [];
  for (const [id, { boardId }] of pages) {
    if (!reached.has(id)) {
      pages.delete(id);
      if (boardId !== null && reached.has(boardId)) removedTasks.push(id);
    }
    yield;
  }
  for (const id of children.keys()) {
    if (id !== TOP && !reached.has(id)) children.delete(id);
    yield;
  }
  for (const parentId of lost) {
    const siblings = children.get(parentId);
    if (siblings === undefined) continue;
    const left = siblings.filter(({ id }) => reached.has(id));
    if (left.length === 0) children.delete(parentId);
    else children.set(parentId, left);
    yield;
  }
  return removedTasks;
}

/**
 * Deletes the pages of tasks whose board is unreachable, with all pages below them, and so on for boards among those.
 *
 * @returns the parents of the deleted pages of tasks
 */
function* dropWithBoards(
  reached: GrowingMap<Page>,
  taskPages: readonly Page[],
  children: GrowingMap<Page[]>,
): Generator<void, ReadonlySet<string>, void> {
  const parents = new Set<string>();
  const lost = taskPages.filter(({ boardId }) => !reached.has(boardId as string));
  if (lost.length === 0) return parents;
  const ofBoard = new Map<string, Page[]>();
  for (const page of taskPages) {
    addToList(ofBoard, page.boardId as string, page);
    yield;
  }
  for (const page of lost) parents.add(page.parentId ?? TOP);
  for (let page = lost.pop(); page !== undefined; page = lost.pop()) {
    yield;
    if (!reached.delete(page.id)) continue;
    for (const child of children.get(page.id) ?? []) lost.push(child);
    for (const elsewhere of page.type === 'board' ? (ofBoard.get(page.id) ?? []) : []) {
      parents.add(elsewhere.parentId ?? TOP);
      lost.push(elsewhere);
    }
  }
  return parents;
}
