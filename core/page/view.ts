import type { Level } from '../model/level.ts';
import { VIEW } from '../model/level.ts';
import { accessType, resolverUnder, type AccessType } from '../access/resolve.ts';
import { levelsOnAllPages, levelOn, sees, type Viewer } from '../access/viewer.ts';
import type { Page } from '../model/page.ts';

/** A page as one member reads it. */
export interface PageView extends Omit<Page, 'orderKey' | 'settings' | 'entries' | 'boardId'> {
  /** Null at the top, and when the parent may not be seen. */
  readonly parentId: string | null;
  readonly parentHidden: boolean;
  /** 0-based, among the siblings that the caller sees. */
  readonly orderIndex: number;
  /** The caller's level. */
  readonly access: Level;
  readonly accessType: AccessType;
}

export function pageView(viewer: Viewer, page: Page): PageView {
  const orderIndex = siblingsSeen(viewer, page.parentId).findIndex((sibling) => sibling.id === page.id);
  const parentHidden = page.parentId !== null && !sees(viewer, page.parentId);
  return viewAt(viewer, page, orderIndex, levelOn(viewer, page.id), parentHidden);
}

/** Every page the viewer sees, in tree order, in one pass of the resolver. */
export function pageViews(viewer: Viewer): PageView[] {
  const { order, levels } = levelsOnAllPages(viewer);
  // By position, those at the top at the end.
  const taken = new Int32Array(order.pages.length + 1);
  const views: PageView[] = [];
  for (let i = 0; i < order.pages.length; i += 1) {
    const level = levels[i]!;
    if (level < VIEW) continue;
    const parent = order.parents[i]!;
    const orderIndex = taken[parent < 0 ? order.pages.length : parent]!++;
    views.push(viewAt(viewer, order.pages[i]!, orderIndex, level, parent >= 0 && levels[parent]! < VIEW));
  }
  return views;
}

/** In sibling order. */
export function siblingsSeen({ structure, principal }: Viewer, parentId: string | null): Page[] {
  const levelOf = resolverUnder(structure, principal, parentId);
  return structure.children(parentId).filter((page) => levelOf(page) >= VIEW);
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
    access,
    accessType: accessType(page, viewer.member),
    createdAt: page.createdAt,
    updatedAt: page.updatedAt,
    version: page.version,
  };
}
