import { accessType, levelUnder, pathUp } from '../access/resolve.ts';
import { sees, type Viewer } from '../access/viewer.ts';
import { addToList } from '../kernel/group.ts';
import { sameJson } from '../kernel/partial-update.ts';
import {
  forEachStepwise,
  inSteps,
  forEachItemStepwise,
  listOfLength,
  sortedStepwise,
  type Stepwise,
} from '../kernel/stepwise.ts';
import type { EventType } from '../model/log/change-event.ts';
import type { LoggedChange } from '../model/log/change.ts';
import { VIEW } from '../model/access/level.ts';
import type { PageEntries } from '../model/access/page-entry.ts';
import { metadataOf } from '../model/metadata.ts';
import type { Page } from '../model/workspace/page.ts';
import { baseLevel, MEMBER } from '../model/access/role.ts';
import { TASK_FIELDS } from '../model/content/task.ts';
import { shownOrder, type ShownOrder } from '../page/shown-order.ts';
import { affectedPages, type SomeLevels } from './affected-pages.ts';

/** What happened to a page, or to its task, for the reader. */
export interface PageEvent {
  readonly type: EventType;
  readonly page: Page;
  readonly fields: readonly string[];
}

/** A page as one reader sees it. */
interface VisiblePage {
  readonly page: Page;
  /** Null at the top, and where the parent is hidden. */
  readonly parentId: string | null;
  readonly parentHidden: boolean;
  readonly level: number;
}

/** The fields that are not shown of a task seen without its board. */
export const FIELDS_OF_BOARD: ReadonlySet<string> = new Set(
  Object.entries(TASK_FIELDS).flatMap(([field, row]) => ('ofBoard' in row ? [field] : [])),
);

/**
 * The difference between what a member sees of two structures, from the top down. Removals come first: a reader removes
 * a page with everything below it, and pages of those that are still visible follow as updates. O(pages that differ for
 * the reader) where the structures share the others, else O(pages); in steps.
 *
 * @param changes the logged changes between the two
 * @param shownAgain pages that the reader has removed without being told that they are gone
 */
export async function pageEvents(
  before: Viewer,
  now: Viewer,
  changes: readonly LoggedChange[],
  shownAgain: ReadonlySet<string>,
): Promise<readonly PageEvent[]> {
  if (before.structure.revision === now.structure.revision && shownAgain.size === 0) return [];
  const affected = await affectedPages(before, now, shownAgain);
  const [was, is] =
    affected === null
      ? [seenOfAll(await shownOrder(before)), seenOfAll(await shownOrder(now))]
      : [seenOf(before, affected[0]), seenOf(now, affected[1])];
  return inSteps(difference(before, now, was, is, changes, shownAgain), now.yielder);
}

/** All pages that a member sees, in the order of the list of pages. O(pages) in steps. */
export async function pageIdsSeen(viewer: Viewer): Promise<readonly string[]> {
  const { all, positions } = await shownOrder(viewer);
  const ids = listOfLength<string>(positions.length);
  const visit = (n: number) => void (ids[n] = all.order.pages[positions[n]!]!.id);
  await inSteps(forEachStepwise(positions.length, visit), viewer.yielder);
  return ids;
}

/** What a member sees of pages, by their ids. */
type SeenPages = ReadonlyMap<string, VisiblePage>;

function* difference(
  before: Viewer,
  now: Viewer,
  was: Stepwise<SeenPages>,
  is: Stepwise<SeenPages>,
  changes: readonly LoggedChange[],
  shownAgain: ReadonlySet<string>,
): Stepwise<readonly PageEvent[]> {
  const [created, placed] = [newPages(changes), placedPages(changes)];
  const [seenBefore, seenNow] = [yield* was, yield* is];
  const events: PageEvent[] = [];
  /** Every page that a reader removes with the pages that are gone, including those still visible. */
  const removed = new Set<string>();
  yield* forEachItemStepwise(seenBefore.values(), ({ page, parentId }) => {
    const isBelowRemoved = parentId !== null && removed.has(parentId);
    const isGone = !seenNow.has(page.id);
    if (isBelowRemoved || isGone) removed.add(page.id);
    // A reader who has read the parent again may hold it elsewhere.
    if (isGone && (!isBelowRemoved || seenNow.has(parentId))) {
      const isThere = now.structure.page(page.id) !== undefined;
      events.push({ type: isThere ? 'page.hide' : 'page.delete', page, fields: [] });
    }
  });
  /** Pages that a reader reads along with the pages that became visible. */
  const shown = new Set<string>();
  /** Pages whose access changed with that of a page above, which has an event. */
  const accessReported = new Set<string>();
  yield* forEachItemStepwise(seenNow.values(), (seen) => {
    const { page, parentId } = seen;
    const known = shownAgain.has(page.id) ? undefined : seenBefore.get(page.id);
    if (known === undefined) {
      if (parentId !== null && shown.has(parentId)) shown.add(page.id);
      else if (created.has(page.id) && !shownAgain.has(page.id)) events.push({ type: 'page.create', page, fields: [] });
      else {
        shown.add(page.id);
        events.push({ type: 'page.show', page, fields: [] });
      }
      return;
    }
    const all = changedFields(before, now, known, seen, placed);
    const isCovered = parentId !== null && accessReported.has(parentId);
    const fields = isCovered ? all.filter((field) => field !== 'access') : all;
    if (all.includes('access')) accessReported.add(page.id);
    const isNewer = known.page.version !== page.version;
    if (fields.length > 0 || isNewer || removed.has(page.id)) events.push({ type: 'page.update', page, fields });
    const sawBoard = known.page.boardId !== null && sees(before, known.page.boardId);
    if (page.boardId !== null && sawBoard !== sees(now, page.boardId)) {
      events.push({ type: 'task.update', page, fields: [...FIELDS_OF_BOARD] });
    }
  });
  return events;
}

/** All visible pages, in the order of the list of pages. */
function* seenOfAll({ all, positions }: ShownOrder): Stepwise<SeenPages> {
  const { order, levels } = all;
  const seen = new Map<string, VisiblePage>();
  yield* forEachStepwise(positions.length, (n) => {
    const i = positions[n]!;
    const page = order.pages[i]!;
    const parent = order.parents[i]!;
    const parentHidden = parent >= 0 && levels[parent]! < VIEW;
    seen.set(page.id, { page, level: levels[i]!, parentHidden, parentId: parentHidden ? null : page.parentId });
  });
  return seen;
}

/**
 * Visible pages, in the order of the list of pages: those with a hidden parent come last, by id, each followed by what is
 * below it, for their place in the tree would disclose where that parent stands.
 */
function* seenOf(viewer: Viewer, { pages, levels }: SomeLevels): Stepwise<SeenPages> {
  const seen = new Map<string, VisiblePage>();
  /** Those below a page with a hidden parent, by its id. */
  const apart = new Map<string, VisiblePage[]>();
  const roots = new Map<string, string | null>();
  yield* forEachStepwise(pages.length, (i) => {
    const page = pages[i]!;
    const { parentId: above } = page;
    const parentHidden = above !== null && !sees(viewer, above);
    const one = { page, level: levels[i]!, parentHidden, parentId: parentHidden ? null : above };
    const known = above === null ? null : roots.get(above);
    const root = parentHidden ? page.id : known === undefined ? rootOf(viewer, above) : known;
    roots.set(page.id, root);
    if (root === null) seen.set(page.id, one);
    else addToList(apart, root, one);
  });
  for (const root of yield* sortedStepwise([...apart.keys()], (a, b) => (a < b ? -1 : 1))) {
    yield* forEachItemStepwise(apart.get(root)!, (one) => void seen.set(one.page.id, one));
  }
  return seen;
}

/** The page with a hidden parent that a visible one is, or is below; null if everything above is seen. O(depth). */
function rootOf({ structure, principal }: Viewer, pageId: string | null): string | null {
  let root: string | null = null;
  let isAboveSeen = true;
  let level = baseLevel(principal.role, structure.workspace.defaultAccess);
  for (const page of [...pathUp(structure, pageId)].toReversed()) {
    if (!isAboveSeen) root = page.id;
    level = levelUnder(page, principal, level);
    isAboveSeen = level >= VIEW;
  }
  return root;
}

function changedFields(
  before: Viewer,
  now: Viewer,
  was: VisiblePage,
  is: VisiblePage,
  placed: ReadonlySet<string>,
): string[] {
  const fields: string[] = [];
  for (const field of ['parentId', 'parentHidden'] as const) if (was[field] !== is[field]) fields.push(field);
  // Told that access changed on a page, the reader reads what is below it, perhaps after this page has left it.
  const isMoved = was.parentId !== is.parentId;
  const own = accessType(was.page, before.member) !== accessType(is.page, now.member);
  if (was.level !== is.level || own || isMoved) fields.push('access');
  if (was.page === is.page) return fields;
  for (const field of ['name', 'type', 'contentId'] as const)
    if (was.page[field] !== is.page[field]) fields.push(field);
  if (was.page.orderKey !== is.page.orderKey && placed.has(is.page.id)) fields.push('orderIndex');
  if (was.page.template !== is.page.template) fields.push('template');
  if (!sameJson(metadataOf(was.page), metadataOf(is.page))) fields.push('metadata');
  if (now.member.role < MEMBER) return fields;
  if (!sameEntries(was.page.entries, is.page.entries)) fields.push('entries');
  if (!sameJson(was.page.settings, is.page.settings)) fields.push('settings');
  return fields;
}

/** Results of comparisons, which are made once for all readers, by the later entries. */
const compared = new WeakMap<PageEntries, WeakMap<PageEntries, boolean>>();

/** By value: where another process wrote, the whole page is read from the store again. O(entries) for the first reader. */
function sameEntries(was: PageEntries, is: PageEntries): boolean {
  if (was === is) return true;
  const known = compared.get(is)?.get(was);
  if (known !== undefined) return known;
  const areSame = sameJson(was, is);
  const ofIs = compared.get(is) ?? new WeakMap<PageEntries, boolean>();
  // Weak in both keys: otherwise each would keep the one before it in memory.
  compared.set(is, ofIs.set(was, areSame));
  return areSame;
}

/**
 * Pages that were created in these changes; not those placed for a board that existed before, nor for a task that has no event
 * of its own among these.
 */
function newPages(changes: readonly LoggedChange[]): ReadonlySet<string> {
  const announced = new Set<string>();
  for (const { kind, action, recordId } of changes) {
    if (kind === 'task' || (kind === 'board' && action === 'create')) announced.add(recordId);
  }
  const isNew = ({ kind, action, recordId, boardId }: LoggedChange) =>
    kind === 'page' && action === 'create' && (boardId === null || announced.has(recordId));
  return new Set(changes.filter(isNew).map(({ recordId }) => recordId));
}

/** Pages that were put in another place by these changes. What only made room for others has no change. */
function placedPages(changes: readonly LoggedChange[]): ReadonlySet<string> {
  const isPlaced = ({ kind, fields }: LoggedChange) => kind === 'page' && fields.includes('orderIndex');
  return new Set(changes.filter(isPlaced).map(({ recordId }) => recordId));
}
