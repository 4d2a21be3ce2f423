import { levelOn, requireLevel, type Viewer } from '../access/viewer.ts';
import { conflict, forbidden } from '../kernel/errors.ts';
import { LastComputed } from '../kernel/last-computed.ts';
import { DENIED, EDIT, FULL, type Level } from '../model/access/level.ts';
import { OWNER } from '../model/access/role.ts';
import type { TrashItem } from '../model/trash-item.ts';
import type { Page } from '../model/workspace/page.ts';
import type { Context } from '../ports/context.ts';
import type { Structure } from '../model/workspace/structure.ts';
import type { ReadTransaction } from '../ports/store.ts';
import type { Precomputed } from '../ports/precomputed.ts';
import { levelInTrash, trashedPaths, type TrashedPaths } from './paths.ts';
import { pagesInTrash } from './subtree.ts';
import { trashTotals } from './totals.ts';

/** The viewer's levels on an item of the trash, as they are now, in its old place. */
export interface TrashLevels {
  readonly own: Level;
  /** On the pages nested under it. Empty where that on the item itself decides. */
  readonly nested: ReadonlySet<Level>;
}

/** The number of items whose levels are cached: as many as a list has. */
const MAX_KEPT = 500;

/**
 * The levels of a member on an item of which all pages had to be looked at, by the structure, for calls that are
 * repeated, and by the call that computed them.
 */
const cache = new LastComputed<Structure | Precomputed, TrashLevels>(MAX_KEPT);

/** The levels on items, by their ids. Where all pages below an item are looked at for them, other calls find them again. */
export async function levelsOnItems(
  tx: ReadTransaction,
  context: Context,
  viewer: Viewer,
  items: readonly TrashItem[],
): Promise<ReadonlyMap<string, TrashLevels>> {
  const listed = items.filter(({ checks }) => checks !== null);
  const levels = new Map(await levelsInTrash(tx, viewer, listed));
  for (const item of items) {
    if (item.checks === null) levels.set(item.id, await levelsOnItem(tx, context, viewer, item, Infinity));
  }
  return levels;
}

/**
 * The levels on one item. If all pages below it had to be examined, they are cached for this call, and for others until
 * many other such items have been asked for.
 *
 * @param most pages that may be looked at
 * @throws TrashedSubtreeTooLarge
 */
export async function levelsOnItem(
  tx: ReadTransaction,
  { precomputed }: Context,
  viewer: Viewer,
  item: TrashItem,
  most: number,
): Promise<TrashLevels> {
  const { memberId, role } = viewer.principal;
  const { workspaceId, id: trashId, checks } = item;
  const compute = async () => (await levelsInTrash(tx, viewer, [item], most)).get(trashId)!;
  if (checks !== null) return compute();
  // Removing a page above it for good changes no structure, but it changes the counts of the trash.
  const { pages } = await trashTotals(tx, workspaceId);
  const { structure } = viewer;
  const key = [structure, pages, trashId, memberId, role];
  const last = cache.get(key, precomputed, structure);
  if (last !== null) return last;
  const levels = await compute();
  cache.set(key, levels, precomputed, structure);
  return levels;
}

/**
 * The levels on items, by their ids. O(items + pages that are to be checked), with two reads for each level of the tree.
 * What is below an item is not looked at where the level on the item itself is too low, nor by owners, who have full access
 * to all of it.
 *
 * @param most pages of one item that may be looked at
 * @throws TrashedSubtreeTooLarge
 */
async function levelsInTrash(
  tx: ReadTransaction,
  viewer: Viewer,
  items: readonly TrashItem[],
  most = Infinity,
): Promise<ReadonlyMap<string, TrashLevels>> {
  const { structure, yielder } = viewer;
  const above = await trashedPaths(tx, structure, items.map(governingId), yielder);
  const looked: Looked[] = [];
  for (const item of items) {
    const own = levelAt(viewer, above, governingId(item));
    const isDecided = own < levelToDelete(viewer, item) || viewer.principal.role === OWNER;
    if (isDecided || item.checks !== null) {
      looked.push({ item, own, checks: isDecided ? [] : item.checks!, below: [] });
    } else {
      const { pages, moved } = await pagesInTrash({ tx, structure, item, most, yielder });
      looked.push({ item, own, checks: Array.from(moved.keys(), ({ id }) => id), below: pages });
    }
    const pause = yielder.step();
    if (pause !== null) await pause;
  }
  const paths = await trashedPaths(tx, structure, checksOf(looked), yielder, pagesBelow(looked));
  const levels = new Map<string, TrashLevels>();
  for (const one of looked) {
    const nested = new Set<Level>();
    for (const id of idsToCheck(one)) {
      // A page that is gone by now needs nothing.
      if (paths.has(id)) nested.add(levelAt(viewer, paths, id));
      const pause = yielder.step();
      if (pause !== null) await pause;
    }
    levels.set(one.item.id, { own: one.own, nested });
  }
  return levels;
}

function levelAt(viewer: Viewer, paths: TrashedPaths, pageId: string): Level {
  return viewer.structure.page(pageId) === undefined ? levelInTrash(viewer, paths, pageId) : levelOn(viewer, pageId);
}

/** An item whose levels are computed. */
interface Looked {
  readonly item: TrashItem;
  readonly own: Level;
  /** The ids of pages below the item that are to be checked, and are not read yet. */
  readonly checks: readonly string[];
  /** Further pages that are to be checked. */
  readonly below: readonly Page[];
}

function* checksOf(looked: readonly Looked[]): Iterable<string> {
  for (const { checks } of looked) yield* checks;
}

function* pagesBelow(looked: readonly Looked[]): Iterable<Page> {
  for (const { below } of looked) yield* below;
}

function* idsToCheck({ checks, below }: Looked): Iterable<string> {
  yield* checks;
  for (const { id } of below) yield id;
}

/** The page that decides access to an item: its own, else that of the board of its task. */
function governingId({ id, page, boardId }: TrashItem): string {
  return page === null ? boardId : id;
}

/** Whether the viewer could delete an item, if it were not in the trash: then they may see and restore it. */
export function couldDelete(viewer: Viewer, item: TrashItem, { own, nested }: TrashLevels): boolean {
  return own >= levelToDelete(viewer, item) && [...nested].every((level) => level >= EDIT);
}

/**
 * Checks what deleting an item needs.
 *
 * @param needs on the item itself. Default: what deleting it needed
 * @throws `not-found`, `forbidden`, `hidden-content`
 */
export function requireDeletable(
  viewer: Viewer,
  item: TrashItem,
  { own, nested }: TrashLevels,
  needs = levelToDelete(viewer, item),
): void {
  requireLevel(own, needs);
  if ([...nested].some((level) => level !== DENIED && level < EDIT)) {
    throw forbidden('This needs Editing on every page nested under it.');
  }
  if (nested.has(DENIED)) {
    throw conflict(
      'hidden-content',
      'Your access to what is nested under it does not allow this: ask an owner of the workspace.',
    );
  }
}

function levelToDelete(viewer: Viewer, { isLeaf, kind, page }: TrashItem): 300 | 400 {
  return isLeaf && (kind === 'task' || page?.createdById === viewer.member.id) ? EDIT : FULL;
}
