import { filterInSteps, visitItems } from '../kernel/stepwise.ts';
import { conflict } from '../kernel/errors.ts';
import { changed } from '../kernel/record.ts';
import { KEY_LIMIT } from '../kernel/order-key.ts';
import { pageFrom, type Page } from '../model/workspace/page.ts';
import type { Structure } from '../model/workspace/structure.ts';
import type { TrashItem } from '../model/trash-item.ts';
import type { ReadTransaction } from '../ports/store.ts';
import type { Yielder } from '../ports/yielder.ts';
import { filterByBoard, storedTaskSlices } from '../task/stored-tasks.ts';
import { type Cause, causeIn, causeOf, itemOf, type TrashedPaths, trashedPaths } from './paths.ts';
import { purgedBefore } from './purged-before.ts';
import { addToList } from '../kernel/group.ts';
import { readSlices } from '../kernel/slices.ts';

/** What comes back with the topmost page of an item. */
export interface TrashedSubtree {
  /** The pages below it, and those of tasks that stand elsewhere, as they are stored. Without the topmost. */
  readonly pages: readonly Page[];
  /** Pages of tasks whose place elsewhere is gone: as they stand under their boards from then on, with the page that was above. */
  readonly moved: ReadonlyMap<Page, string | null>;
  /** Tasks on the restored boards that stay in the trash with another item, or wait to be purged. */
  readonly waiting: readonly string[];
  /** Whether the topmost page has its place: the page above is there, or comes back where it was. */
  readonly hasPlace: boolean;
}

/** What becomes of the page of a task below an item, of which the board was deleted later. */
type WithBoardDeletedLater = 'refused' | 'collected';

/** Thrown to end a transaction: more is to be restored, or deleted for good, than it may visit. */
export class TrashedSubtreeTooLarge extends Error {}

/** Records read by one query. */
const CHUNK = 500;

/** What to collect, from which snapshot, and how much of it at most. */
interface Collecting {
  readonly tx: ReadTransaction;
  readonly structure: Structure;
  /** It has a page. */
  readonly item: TrashItem;
  /** Records that may be visited. */
  readonly most: number;
  readonly yielder: Yielder;
  /** The time at which pages are moved. */
  readonly at: string;
}

/**
 * Collects what is restored with an item that has a page. O(pages + tasks of boards) below it, in steps.
 *
 * @throws {@link TrashedSubtreeTooLarge}
 * @throws `board-in-trash` for a task below whose board was deleted later
 */
export async function subtreeInTrash(collecting: Collecting): Promise<TrashedSubtree> {
  return new SubtreeCollector(collecting, 'refused').run();
}

/**
 * All pages that were deleted with an item, but the topmost, whether or not it can be restored now. As above, in steps.
 *
 * @throws {@link TrashedSubtreeTooLarge}
 */
export async function pagesInTrash(
  collecting: Omit<Collecting, 'at'>,
): Promise<Pick<TrashedSubtree, 'pages' | 'moved'>> {
  const { deletedAt: at } = collecting.item;
  return new SubtreeCollector({ ...collecting, at }, 'collected').run();
}

/** The page of a task on a board, and that board; it stands below another page. */
interface Elsewhere {
  readonly page: Page;
  readonly boardId: string;
}

/** Collects what was deleted with an item, level by level. */
class SubtreeCollector {
  readonly #tx: ReadTransaction;
  readonly #structure: Structure;
  readonly #item: TrashItem;
  readonly #yielder: Yielder;
  readonly #at: string;
  readonly #withBoardDeletedLater: WithBoardDeletedLater;
  #room: number;
  readonly #pages = new Map<string, Page>();
  readonly #moved = new Map<Page, string | null>();
  readonly #waiting: string[] = [];
  /** What is being purged that was deleted before the item. Null: not read yet. */
  #purged: ReadonlySet<string> | null = null;
  /** Pages of tasks below the topmost page, by their boards, which are not in the tree so far. */
  readonly #withoutBoard = new Map<string, Page[]>();
  /** Pages of tasks on restored boards of which the page above is not there so far. */
  #elsewhere = new Map<string, Elsewhere>();
  /** Pages and boards to look below. */
  #rows: string[] = [];
  readonly #boards: string[] = [];

  constructor(collecting: Collecting, withBoardDeletedLater: WithBoardDeletedLater) {
    this.#tx = collecting.tx;
    this.#structure = collecting.structure;
    this.#item = collecting.item;
    this.#room = collecting.most;
    this.#yielder = collecting.yielder;
    this.#at = collecting.at;
    this.#withBoardDeletedLater = withBoardDeletedLater;
  }

  async run(): Promise<TrashedSubtree> {
    const root = pageFrom(this.#item.page!);
    this.#add(root);
    do {
      while (this.#rows.length + this.#boards.length > 0) {
        if (this.#rows.length > 0) await this.#lookBelow(this.#rows.splice(0, CHUNK));
        else await this.#lookOnBoard(this.#boards.pop()!);
      }
    } while ((await this.#placeElsewhere()) || (await this.#settleBoards()));
    this.#pages.delete(root.id);
    const moved = new Set(Array.from(this.#moved.keys(), ({ id }) => id));
    const hasPlace = this.#hasPlace(root, moved);
    const pages: Page[] = [];
    await visitItems(this.#pages.values(), this.#yielder, (page) => {
      if (!moved.has(page.id)) pages.push(page);
    });
    return { pages, moved: this.#moved, waiting: this.#waiting, hasPlace };
  }

  #hasPlace({ parentId }: Page, moved: ReadonlySet<string>): boolean {
    for (let id = parentId; id !== null && this.#structure.page(id) === undefined;) {
      const above = this.#pages.get(id);
      // It is gone, or stands elsewhere from now on, or is the topmost page itself.
      if (above === undefined || moved.has(id)) return false;
      id = above.parentId;
    }
    return true;
  }

  #isThere(pageId: string): boolean {
    return this.#structure.page(pageId) !== undefined || this.#pages.has(pageId);
  }

  #add(page: Page): void {
    if (this.#pages.has(page.id)) return;
    this.#pages.set(page.id, page);
    this.#rows.push(page.id);
    if (page.type !== 'board') return;
    this.#boards.push(page.id);
    for (const ofTask of this.#withoutBoard.get(page.id) ?? []) this.#add(ofTask);
    this.#withoutBoard.delete(page.id);
  }

  async #spend(records: number): Promise<void> {
    this.#room -= records;
    if (this.#room < 0) throw new TrashedSubtreeTooLarge();
    const pause = this.#yielder.step(records);
    if (pause !== null) await pause;
  }

  async #lookBelow(ids: readonly string[]): Promise<void> {
    const { id: workspaceId } = this.#structure.workspace;
    const found = await this.#tx.structures.storedBelow(workspaceId, ids, CHUNK);
    if (found.length < CHUNK) {
      await this.#addFound(found);
      return;
    }
    for (const id of ids) {
      const slices = readSlices<Page>(CHUNK, ({ after, limit }) =>
        this.#tx.structures.storedChildren(workspaceId, id, after, limit),
      );
      for await (const some of slices) await this.#addFound(some);
    }
  }

  async #addFound(pages: readonly Page[]): Promise<void> {
    await this.#spend(pages.length);
    for (const page of pages) {
      if (page.boardId === null || this.#isThere(page.boardId)) this.#add(page);
      else addToList(this.#withoutBoard, page.boardId, page);
    }
  }

  /** Finds the pages of tasks of a restored board, wherever they are. */
  async #lookOnBoard(boardId: string): Promise<void> {
    const { id: workspaceId } = this.#structure.workspace;
    for await (const tasks of storedTaskSlices(this.#tx, workspaceId, filterByBoard(boardId))) {
      await this.#spend(tasks.length);
      const ids = tasks.flatMap(({ id }) => (this.#isThere(id) ? [] : [id]));
      const pages = await this.#tx.structures.stored(workspaceId, ids);
      for (const page of pages) {
        if (page.parentId === null || this.#isThere(page.parentId)) this.#add(page);
        else this.#elsewhere.set(page.id, { page, boardId });
      }
    }
  }

  /**
   * Places pages of tasks whose place elsewhere is gone: under their boards, or with what they were deleted with, in the
   * trash or gone for good.
   *
   * @returns whether any was placed
   */
  async #placeElsewhere(): Promise<boolean> {
    const left = [...this.#elsewhere.values()].filter(({ page }) => !this.#pages.has(page.id));
    this.#elsewhere = new Map();
    if (left.length === 0) return false;
    const ids = left.map(({ page }) => page.id);
    const paths = await trashedPaths(this.#tx, this.#structure, ids, this.#yielder);
    const back = await filterInSteps(left, this.#yielder, ({ page }) => this.#comesBack(paths, page));
    const placed = back.length > 0 ? back : await this.#notBelowOthers(paths, left);
    const isPlaced = new Set(placed);
    for (const one of left) if (!isPlaced.has(one)) this.#elsewhere.set(one.page.id, one);
    for (const one of placed) {
      if (back.length > 0) this.#add(one.page);
      else await this.#placeUnderBoard(paths, one);
      const pause = this.#yielder.step();
      if (pause !== null) await pause;
    }
    return true;
  }

  /** Those whose place elsewhere is not below a page that is restored too; all if there are none. */
  async #notBelowOthers(paths: TrashedPaths, left: readonly Elsewhere[]): Promise<readonly Elsewhere[]> {
    const isOutside = ({ page }: Elsewhere) => itemOf(this.#structure, paths, page.parentId!)?.id !== this.#item.id;
    const outside = await filterInSteps(left, this.#yielder, isOutside);
    return outside.length > 0 ? outside : left;
  }

  /** Unless it stays with what it was deleted with, in the trash or waiting to be purged. */
  async #placeUnderBoard(paths: TrashedPaths, { page, boardId }: Elsewhere): Promise<void> {
    const cause = causeIn(this.#structure, paths, page.id);
    // Deleted before its board, with a page above it.
    const isElsewhere = cause.item !== null && cause.item.id !== this.#item.id;
    if (isElsewhere || (await this.#isPurged(cause))) {
      this.#waiting.push(page.id);
      return;
    }
    const moved = changed(page, { parentId: boardId, orderKey: KEY_LIMIT }, this.#at);
    this.#moved.set(moved, page.parentId);
    this.#add(moved);
  }

  /** Whether all that a page hangs on is there, or comes back with it. */
  #comesBack(paths: TrashedPaths, page: Page): boolean {
    const { item, isGone, goneAbove } = causeOf(this.#structure, (id) => this.#isThere(id), paths, page.id);
    if (item !== null || isGone || goneAbove.length > 0) return false;
    // A page above that was put under its board may stand below the page since.
    const met = new Set<string>();
    for (let id = page.parentId; id !== null && !this.#isThere(id); id = paths.get(id)!.page.parentId) {
      if (met.has(id)) return false;
      met.add(id);
    }
    return true;
  }

  /** Whether a page waits to be purged. */
  async #isPurged({ isGone, goneAbove }: Cause): Promise<boolean> {
    if (isGone || goneAbove.length === 0) return isGone;
    this.#purged ??= await purgedBefore(this.#tx, this.#item);
    return goneAbove.some((id) => this.#purged!.has(id));
  }

  /**
   * Settles what becomes of pages of tasks whose boards are not there.
   *
   * @returns whether any was added
   * @throws `board-in-trash`
   */
  async #settleBoards(): Promise<boolean> {
    if (this.#withoutBoard.size === 0) return false;
    const paths = await trashedPaths(this.#tx, this.#structure, this.#withoutBoard.keys(), this.#yielder);
    const rows = this.#rows.length;
    for (const [boardId, pages] of this.#withoutBoard) {
      const pause = this.#yielder.step();
      if (pause !== null) await pause;
      const cause = causeOf(this.#structure, (id) => this.#isThere(id), paths, boardId);
      const { item } = cause;
      if (item === null && (await this.#isPurged(cause))) continue;
      // Those deleted before come back with their board. One that hangs on no item comes back below these pages.
      if (item !== null && item.revision < this.#item.revision) continue;
      if (item !== null && this.#withBoardDeletedLater === 'refused') throw boardInTrash();
      this.#withoutBoard.delete(boardId);
      for (const page of pages) this.#add(page);
    }
    return this.#rows.length > rows;
  }
}

export function boardInTrash() {
  return conflict('board-in-trash', 'The board of the task is in the trash: restore it first.');
}
