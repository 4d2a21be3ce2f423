import type { Level } from '../access/level.ts';
import { VIEW } from '../access/level.ts';
import { accessType, effective, type AccessType } from '../access/resolve.ts';
import { allLevels, levelOn, sees, type Viewer } from '../access/viewer.ts';
import type { Page } from './page.ts';

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
  const before = siblingsSeen(viewer, page.parentId);
  return viewAt(
    viewer,
    page,
    before.findIndex((sibling) => sibling.id === page.id),
    levelOn(viewer, page.id),
  );
}

/** Every page the viewer sees, in tree order, in one pass of the resolver. */
export function pageViews(viewer: Viewer): PageView[] {
  const positions = new Map<string | null, number>();
  const views: PageView[] = [];
  for (const [id, level] of allLevels(viewer)) {
    if (level < VIEW) continue;
    const page = viewer.structure.page(id)!;
    const position = positions.get(page.parentId) ?? 0;
    positions.set(page.parentId, position + 1);
    views.push(viewAt(viewer, page, position, level));
  }
  return views;
}

/** In sibling order. */
export function siblingsSeen(viewer: Viewer, parentId: string | null): Page[] {
  return viewer.structure
    .children(parentId)
    .filter((page) => effective(viewer.structure, viewer.standing, page.id) >= VIEW);
}

function viewAt(viewer: Viewer, page: Page, orderIndex: number, access: Level): PageView {
  const parentHidden = page.parentId !== null && !sees(viewer, page.parentId);
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
    accessType: accessType(page, viewer.member.id),
    createdAt: page.createdAt,
    updatedAt: page.updatedAt,
    version: page.version,
  };
}
