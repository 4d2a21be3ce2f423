import type { Level } from '../model/access/level.ts';
import { VIEW } from '../model/access/level.ts';
import { accessType, resolverUnder, type AccessType } from '../access/resolve.ts';
import { levelOn, sees, type Viewer } from '../access/viewer.ts';
import { inSteps, forEachStepwise, listOfLength, whileStepwise, type Stepwise } from '../kernel/stepwise.ts';
import { shownOrder, type ShownOrder } from './shown-order.ts';
import type { MemberName, PageName } from '../names/names.ts';
import { metadataOf, type WithMetadata } from '../model/metadata.ts';
import type { Page } from '../model/workspace/page.ts';

/** A page as a member reads it. */
export interface PageView extends Omit<
  WithMetadata<Page>,
  'orderKey' | 'settings' | 'entries' | 'boardId' | 'template'
> {
  /** Null at the top, and if the caller may not see the parent. */
  readonly parentId: string | null;
  /** The page has a parent that the caller may not see. */
  readonly parentHidden: boolean;
  /** 0-based, among the siblings that the caller sees; with a hidden parent, by id among all such pages. */
  readonly orderIndex: number;
  /** Lists of tasks omit the tasks on this page and on all pages below, unless they ask for them. */
  readonly template: boolean;
  /** The caller's level. */
  readonly access: Level;
  /** `accepted`: set on this page; `inherited`: from a page above or the workspace. */
  readonly accessType: AccessType;
  /** Present if requested with `expand`. */
  readonly expanded?: PageNames;
}

/** The names of the ids in a page. */
export interface PageNames {
  /** Null at the top, and if the caller may not see the parent. */
  readonly parent?: PageName | null;
  /** The member who created it. */
  readonly createdBy?: MemberName;
}

export async function pageView(viewer: Viewer, page: Page): Promise<PageView> {
  const parentHidden = page.parentId !== null && !sees(viewer, page.parentId);
  const orderIndex = parentHidden
    ? ((await shownOrder(viewer)).apart.get(page.id) ?? 0)
    : await inSteps(seenBefore(viewer, page), viewer.yielder);
  return viewAt(viewer, page, orderIndex, levelOn(viewer, page.id), parentHidden);
}

/**
 * Every page the viewer sees, in one pass: from the top in tree order, then those with a hidden parent by id, each
 * followed by its visible subtree.
 */
export async function pageViews(viewer: Viewer): Promise<PageView[]> {
  return inSteps(viewsIn(viewer, await shownOrder(viewer)), viewer.yielder);
}

function* viewsIn(viewer: Viewer, { all, positions, apart }: ShownOrder): Stepwise<PageView[]> {
  const { pages, parents } = all.order;
  // Visible children counted so far, by the parent's position; the last element is for the top.
  const taken = new Int32Array(pages.length + 1);
  const views = listOfLength<PageView>(positions.length);
  yield* forEachStepwise(positions.length, (n) => {
    const i = positions[n]!;
    const page = pages[i]!;
    const parent = parents[i]!;
    const hidden = apart.get(page.id);
    const orderIndex = hidden ?? taken[parent < 0 ? pages.length : parent]!++;
    views[n] = viewAt(viewer, page, orderIndex, all.levels[i]!, hidden !== undefined);
  });
  return views;
}

/** The number of siblings before a page that the viewer sees. O(depth + siblings before it). */
function* seenBefore({ structure, principal }: Viewer, { id, parentId }: Page): Stepwise<number> {
  const levelOf = resolverUnder(structure, principal, parentId);
  const siblings = structure.children(parentId);
  let [seen, n] = [0, 0];
  yield* whileStepwise(() => {
    const sibling = siblings[n++];
    if (sibling === undefined || sibling.id === id) return false;
    if (levelOf(sibling) >= VIEW) seen += 1;
    return true;
  });
  return n > siblings.length ? -1 : seen;
}

function viewAt(viewer: Viewer, page: Page, orderIndex: number, access: Level, parentHidden: boolean): PageView {
  return {
    id: page.id,
    workspaceId: page.workspaceId,
    name: page.name,
    type: page.type,
    parentId: parentHidden ? null : page.parentId,
    parentHidden,
    orderIndex,
    contentId: page.contentId,
    createdById: page.createdById,
    template: page.template === true,
    metadata: metadataOf(page),
    access,
    accessType: accessType(page, viewer.member),
    createdAt: page.createdAt,
    updatedAt: page.updatedAt,
    version: page.version,
  };
}
