import { DENIED, EDIT, VIEW } from '../model/access/level.ts';
import { baseLevel } from '../model/access/role.ts';
import { levelOn, sees, type Viewer } from '../access/viewer.ts';
import { conflict, forbidden, unusable } from '../kernel/errors.ts';
import { GAP, KEY_LIMIT, keyBetween } from '../kernel/order-key.ts';
import { changed } from '../kernel/record.ts';
import { inSteps, type Stepwise, whileStepwise } from '../kernel/stepwise.ts';
import { pathUp, resolverUnder } from '../access/resolve.ts';
import type { Page } from '../model/workspace/page.ts';
import { atOnce } from '../kernel/stepwise.ts';
import { siblingsAfter } from '../tree/siblings.ts';

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
    throw forbidden('Pages at the top need the role Member with editing as its level in the workspace.');
  }
  const level = levelOn(viewer, parentId);
  if (level !== DENIED && level < EDIT) throw forbidden('This needs editing on the parent page.');
}

/** @throws `page-cycle` if the page would be moved into its own subtree */
export function requireOutside(viewer: Viewer, page: Page, parentId: string | null): void {
  for (const above of pathUp(viewer.structure, parentId)) {
    if (above.id === page.id) throw conflict('page-cycle', 'A page cannot be moved into itself or below itself.');
  }
}

/** The order key of a new last child, and the siblings whose keys change to make room. */
export function placeLast(viewer: Viewer, parentId: string | null, at: string): Placement {
  const siblings = viewer.structure.children(parentId);
  return placeIn(siblings, siblings.length, at);
}

/**
 * The order key that makes a page the one at `index` among the siblings that the viewer sees; past the
 * end means last.
 */
export async function placeAt(
  viewer: Viewer,
  page: Page,
  parentId: string | null,
  index: number,
  at: string,
): Promise<Placement> {
  const children = viewer.structure.children(parentId);
  const siblings = page.parentId === parentId ? atOnce(siblingsAfter(children, [page], [])) : children;
  return placeIn(siblings, await inSteps(positionOfSeen(viewer, siblings, parentId, index), viewer.yielder), at);
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

export interface Placement {
  readonly orderKey: number;
  /** Siblings with new keys, if there was no room between the neighbours. */
  readonly moved: readonly Page[];
}

function placeIn(siblings: readonly Page[], position: number, at: string): Placement {
  const orderKey = keyBetween(siblings[position - 1]?.orderKey, siblings[position]?.orderKey);
  return orderKey === null ? makeRoom(siblings, position, at) : { orderKey, moved: [] };
}

/** The least distance between keys after respreading, so that the next insertions find room. */
const ROOM = 16;

/**
 * Respreads the siblings around a position, in windows of growing size, until there is room at it. O(log n) pages are
 * written for each insertion, amortised: see docs/decisions/0002-order-keys.md.
 */
function makeRoom(siblings: readonly Page[], position: number, at: string): Placement {
  for (let size = 32; ; size *= 4) {
    const first = Math.max(0, position - size);
    const end = Math.min(siblings.length, position + size);
    const around = siblings.slice(first, end);
    const [fenceBelow, fenceAbove] = [siblings[first - 1]?.orderKey, siblings[end]?.orderKey];
    const slots = around.length + 1;
    const low = fenceBelow ?? Math.max(-KEY_LIMIT - 1, (around[0]?.orderKey ?? 0) - GAP * slots);
    const high = fenceAbove ?? Math.min(KEY_LIMIT + 1, (around.at(-1)?.orderKey ?? 0) + GAP * slots);
    const gap = Math.floor((high - low) / (slots + 1));
    if (gap < ROOM && (fenceBelow !== undefined || fenceAbove !== undefined)) continue;
    const keys = Array.from({ length: slots }, (_, i) => low + gap * (i + 1));
    const [orderKey] = keys.splice(position - first, 1);
    return { orderKey: orderKey!, moved: around.map((page, i) => changed(page, { orderKey: keys[i]! }, at)) };
  }
}
