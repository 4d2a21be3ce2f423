import { visitItems } from '../kernel/stepwise.ts';
import { effective } from '../access/resolve.ts';
import type { Viewer } from '../access/viewer.ts';
import { DENIED, FULL, type Level } from '../model/access/level.ts';
import { pageFrom, type Page } from '../model/workspace/page.ts';
import { OWNER } from '../model/access/role.ts';
import type { Structure } from '../model/workspace/structure.ts';
import type { TrashItem } from '../model/trash-item.ts';
import type { ReadTransaction } from '../ports/store.ts';
import { NEVER_YIELD, type Yielder } from '../ports/yielder.ts';

interface TrashedPage {
  readonly page: Page;
  /** The item of which it is the topmost page; null: it is below one. */
  readonly item: TrashItem | null;
}

/** Pages read by one query. */
const CHUNK = 500;

/** Unreachable pages, each with the unreachable ones on which it hangs, by id. */
export type TrashedPaths = ReadonlyMap<string, TrashedPage>;

/**
 * Reads unreachable pages with all unreachable pages above them, and the boards of the tasks among them. Pages that are
 * in the tree, and those that are not stored, are left out. Two reads for each 500 pages of a level, in steps.
 *
 * @param known unreachable pages below items of the trash, which are not read again
 */
export async function trashedPaths(
  tx: ReadTransaction,
  structure: Structure,
  ids: Iterable<string>,
  yielder: Yielder = NEVER_YIELD,
  known: Iterable<Page> = [],
): Promise<TrashedPaths> {
  const workspaceId = structure.workspace.id;
  const paths = new Map<string, TrashedPage>();
  const asked = new Set<string>();
  const isNew = (id: string): boolean => {
    if (asked.has(id) || structure.page(id) !== undefined) return false;
    asked.add(id);
    return true;
  };
  const left = ids[Symbol.iterator]();
  const waiting: string[] = [];
  const lookAbove = ({ parentId, boardId }: Page): void => {
    if (parentId !== null) waiting.push(parentId);
    if (boardId !== null) waiting.push(boardId);
  };
  const add = (page: Page): void => {
    if (!isNew(page.id)) return;
    paths.set(page.id, { page, item: null });
    lookAbove(page);
  };
  await visitItems(known, yielder, add);
  for (;;) {
    while (waiting.length < CHUNK) {
      const next = left.next();
      if (next.done === true) break;
      waiting.push(next.value);
    }
    if (waiting.length === 0) return paths;
    const some = waiting.splice(-CHUNK).filter(isNew);
    const pause = yielder.step(CHUNK);
    if (pause !== null) await pause;
    if (some.length === 0) continue;
    const [items, pages] = await Promise.all([
      tx.trash.many(workspaceId, some),
      tx.structures.stored(workspaceId, some),
    ]);
    for (const page of pages) paths.set(page.id, { page, item: null });
    for (const item of items.values()) {
      if (item.page !== null) paths.set(item.id, { page: pageFrom(item.page), item });
    }
    for (const id of some) {
      const page = paths.get(id)?.page;
      if (page !== undefined) lookAbove(page);
    }
  }
}

/**
 * The viewer's level on a page of the trash, in its old place. If a page above it is gone for good, none but owners have
 * any. O(depth).
 */
export function levelInTrash(
  { structure, principal }: Pick<Viewer, 'structure' | 'principal'>,
  paths: TrashedPaths,
  pageId: string,
): Level {
  const pageAt = (id: string): Page | undefined => structure.page(id) ?? paths.get(id)?.page;
  if (principal.role === OWNER) return pageAt(pageId) === undefined ? DENIED : FULL;
  for (let id: string | null = pageId; id !== null;) {
    const page = pageAt(id);
    if (page === undefined) return DENIED;
    id = page.parentId;
  }
  return effective({ workspace: structure.workspace, page: pageAt }, principal, pageId);
}

/** What keeps a page out of the tree. */
export interface Cause {
  /** The earliest item of the trash that it hangs on. Null: it hangs on none. */
  readonly item: TrashItem | null;
  /**
   * Whether it is lost with a page that is gone for good: one that it hangs on directly, or one above pages of tasks,
   * if nothing that it hangs on is in the trash or comes back.
   */
  readonly isGone: boolean;
  /**
   * The ids of pages that are gone for good and above pages of tasks that it hangs on. A page of a task outlasts the
   * page above it if its board was in the trash before that one was deleted.
   */
  readonly goneAbove: readonly string[];
}

/**
 * What keeps a page out of the tree, by what it hangs on: the pages above, and the boards of the tasks among them.
 *
 * @param isThere whether a page is in the tree, or comes back to it
 */
export function causeOf(
  structure: Structure,
  isThere: (pageId: string) => boolean,
  paths: TrashedPaths,
  pageId: string,
): Cause {
  let first: TrashItem | null = null;
  let isGone = false;
  let comesBack = false;
  const goneAbove: string[] = [];
  const met = new Set<string>();
  const waiting = [pageId];
  // What pages of tasks hang on as pages, which is visited last.
  const above: string[] = [];
  for (;;) {
    const isAbove = waiting.length === 0;
    const id = isAbove ? above.pop() : waiting.pop();
    if (id === undefined) {
      // If nothing is in the trash or comes back, no board keeps the page of its task.
      if (first === null && !comesBack) isGone ||= goneAbove.length > 0;
      return { item: first, isGone, goneAbove };
    }
    if (met.has(id)) continue;
    met.add(id);
    if (isThere(id)) {
      comesBack ||= structure.page(id) === undefined;
      continue;
    }
    const found = paths.get(id);
    if (found === undefined) {
      if (isAbove) goneAbove.push(id);
      else isGone = true;
      continue;
    }
    const { page, item } = found;
    if (item !== null) {
      if (first === null || item.revision < first.revision) first = item;
      continue;
    }
    const next = isAbove ? above : waiting;
    if (page.parentId !== null) (page.boardId === null ? next : above).push(page.parentId);
    if (page.boardId !== null) next.push(page.boardId);
  }
}

/**
 * The item of the trash with which an unreachable page was deleted: the earliest that it hangs on. Null for a page in
 * the tree, and for one that waits to be purged.
 */
export function itemOf(structure: Structure, paths: TrashedPaths, pageId: string): TrashItem | null {
  return causeIn(structure, paths, pageId).item;
}

/** What keeps a page out of the tree as it is. */
export function causeIn(structure: Structure, paths: TrashedPaths, pageId: string): Cause {
  return causeOf(structure, (id) => structure.page(id) !== undefined, paths, pageId);
}

/** Whether a page is in the trash: by itself, or below something that is. */
export async function isInTrash(tx: ReadTransaction, structure: Structure, pageId: string): Promise<boolean> {
  return itemOf(structure, await trashedPaths(tx, structure, [pageId]), pageId) !== null;
}
