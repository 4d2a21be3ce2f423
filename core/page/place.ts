import { DENIED, EDIT, VIEW } from '../model/access/level.ts';
import { baseLevel } from '../model/access/role.ts';
import { levelOn, sees, type Viewer } from '../access/viewer.ts';
import { conflict, forbidden, unusable } from '../kernel/errors.ts';
import { inSteps, type Stepwise, whileStepwise } from '../kernel/stepwise.ts';
import { pathUp, resolverUnder } from '../access/resolve.ts';
import type { Page } from '../model/workspace/page.ts';
import { atOnce } from '../kernel/stepwise.ts';
import { siblingIndex, siblingsAfter } from '../tree/siblings.ts';
import { placeAmong, type PagePlacement } from './place-among.ts';

/**
 * Checks that the viewer may put a page under `parentId` (null: at the top).
 *
 * @throws `unusable-reference` for a parent that is missing or hidden, `forbidden` below editing
 */
export function requireParent(viewer: Viewer, parentId: string | null): void {
  if (parentId !== null && !sees(viewer, parentId)) throw unusable('parentId');
  requireEditingParent(viewer, parentId);
}

/** The part of {@link requireParent} that is checked before the version. @throws `forbidden` */
export function requireEditingParent(viewer: Viewer, parentId: string | null): void {
  if (parentId === null) {
    const base = baseLevel(viewer.member.role, viewer.structure.workspace.defaultAccess);
    if (base >= EDIT) return;
    throw forbidden('A page at the top needs Editing as the level of your role in the workspace.');
  }
  const level = levelOn(viewer, parentId);
  if (level !== DENIED && level < EDIT) throw forbidden('This needs Editing on the parent page.');
}

/** @throws `page-cycle` if the page would be moved into its own subtree */
export function requireOutside(viewer: Viewer, page: Page, parentId: string | null): void {
  for (const above of pathUp(viewer.structure, parentId)) {
    if (above.id === page.id) throw conflict('page-cycle', 'A page cannot be moved into itself or below itself.');
  }
}

/** The order key of a new last child, and the siblings whose keys change to make room. @throws {@link SiblingsCrowded} */
export function placeLast(viewer: Viewer, parentId: string | null): PagePlacement {
  const siblings = viewer.structure.children(parentId);
  return placeAmong({ workspaceId: viewer.structure.workspace.id, parentId, siblings }, siblings.length);
}

/**
 * The order key that makes a page the one at `index` among the siblings that the viewer sees; past the
 * end means last. A page that stands there already, as far as the viewer sees, keeps its key.
 *
 * @throws {@link SiblingsCrowded}
 */
export async function placeAt(
  viewer: Viewer,
  page: Page,
  parentId: string | null,
  index: number,
): Promise<PagePlacement> {
  const children = viewer.structure.children(parentId);
  const stays = page.parentId === parentId;
  const siblings = stays ? atOnce(siblingsAfter(children, [page], [])) : children;
  const position = await inSteps(positionOfSeen(viewer, siblings, parentId, index), viewer.yielder);
  if (stays) {
    const before = siblingIndex(children, page);
    const passed = siblings.slice(Math.min(before, position), Math.max(before, position));
    if (!(await inSteps(seesAny(viewer, passed, parentId), viewer.yielder)))
      return { orderKey: page.orderKey, moved: [] };
  }
  return placeAmong({ workspaceId: viewer.structure.workspace.id, parentId, siblings }, position);
}

/** The position of the sibling at `index` among those that the viewer sees. O(depth + siblings before it). */
function* positionOfSeen(
  { structure, principal }: Viewer,
  siblings: readonly Page[],
  parentId: string | null,
  index: number,
): Stepwise<number> {
  if (index >= siblings.length) return siblings.length;
  const levelOf = resolverUnder(structure, principal, parentId);
  let [seen, position] = [0, 0];
  yield* whileStepwise(() => {
    const sibling = siblings[position];
    if (sibling === undefined) return false;
    const isSeen = levelOf(sibling) >= VIEW;
    if (isSeen && seen === index) return false;
    if (isSeen) seen += 1;
    position += 1;
    return true;
  });
  return position;
}

/** Whether the viewer sees any of some children of a page. O(depth + children before the first of these). */
function* seesAny(
  { structure, principal }: Viewer,
  children: readonly Page[],
  parentId: string | null,
): Stepwise<boolean> {
  const levelOf = resolverUnder(structure, principal, parentId);
  let n = 0;
  yield* whileStepwise(() => {
    if (n === children.length || levelOf(children[n]!) >= VIEW) return false;
    n += 1;
    return true;
  });
  return n < children.length;
}
