import { effective, pathUp, principalOf, type Principal } from '../access/resolve.ts';
import type { Viewer } from '../access/viewer.ts';
import type { LoggedChange } from '../model/log/change.ts';
import { VIEW } from '../model/access/level.ts';
import type { Structure } from '../model/workspace/structure.ts';

/** What the reader of changes may see now, and what they could see at their cursor. */
export interface Sight {
  readonly now: Viewer;
  /** At the cursor. Null if it is no longer known: then the reader gets the ids of all pages they see. */
  readonly before: Viewer | null;
  /** Before the first answer of a catch-up, for changes up to a place. Null: it is the same as `before`. */
  readonly earlier: EarlierSight | null;
  /** Pages that the answer before hid, and that this one shows again. */
  readonly shownAgain: ReadonlySet<string>;
  /** Where `before` is not known: the pages that were changed since the cursor. Null: not known either. */
  readonly changedPages: ReadonlySet<string> | null;
  readonly at: ViewerAt;
}

/** The reader at a revision of the structure. Null: not known any more. */
export type ViewerAt = (revision: number) => Viewer | null;

export interface EarlierSight {
  /** Null: no longer known. */
  readonly viewer: Viewer | null;
  /** The place in the log up to which it counts. */
  readonly until: number;
  /** Whether the structure changed more than once meanwhile. */
  readonly again: boolean;
}

/**
 * The reader as they were in an earlier structure; null if it is not cached, or if they have left and come back since:
 * what was read in an earlier membership does not count.
 */
export function viewerBefore(now: Viewer, structure: Structure | undefined): Viewer | null {
  if (structure === undefined) return null;
  if (structure === now.structure) return now;
  const member = structure.memberOfUser(now.user.id);
  const principal: Principal | null = principalOf(member, now.user);
  if (member === undefined || principal === null || principal.membership !== now.principal.membership) return null;
  return { ...now, member, principal, structure, levels: new Map(), levelsOfOthers: null };
}

/** Whether the reader sees a page now. */
export function seesNow({ now }: Sight, pageId: string | null): boolean {
  return pageId !== null && seesIn(now, pageId);
}

/**
 * Whether the reader holds what a page governed at the cursor and until a change. False also where an event of this
 * answer takes the page from them, or has them read it anew. Null: not known; then the record may not be named.
 *
 * @param place of the change in the log
 */
export function holds(sight: Sight, pageId: string | null, place: number): boolean | null {
  const { before, earlier } = sight;
  if (pageId === null || isGoneOrNew(sight, pageId)) return false;
  return earlier === null || place > earlier.until
    ? before !== null || isUntouched(sight, pageId) || null
    : couldRead(sight, pageId, place);
}

/** The same of what a page came to govern after the cursor: the reader may have read it before it left again. */
export function couldRead(sight: Sight, pageId: string, place: number): boolean | null {
  const { now, before, earlier } = sight;
  if (isGoneOrNew(sight, pageId)) return false;
  const isEarlier = earlier !== null && place <= earlier.until;
  if (before === null) return (!isEarlier && isUntouched(sight, pageId)) || null;
  const viewer = isEarlier ? earlier.viewer : before;
  if (viewer === null) return null;
  if (hasSameAccess(viewer, now, pageId)) return true;
  // Where the reader saw it first in the structure of the cursor, they read it after `until`.
  return isEarlier && !earlier.again && !seesIn(viewer, pageId) ? false : null;
}

/** Whether events of pages in this answer take the page from the reader, or have them read it anew. */
function isGoneOrNew(sight: Sight, pageId: string): boolean {
  const { before, shownAgain } = sight;
  return !seesNow(sight, pageId) || shownAgain.has(pageId) || (before !== null && !seesIn(before, pageId));
}

/** The pages among some changes; null if these also changed what else decides the reader's access. */
export function changedPagesOf({ member }: Viewer, changes: readonly LoggedChange[]): ReadonlySet<string> | null {
  const pages = new Set<string>();
  for (const { kind, recordId } of changes) {
    if (kind === 'workspace' || recordId === member.id) return null;
    if (kind === 'page') pages.add(recordId);
  }
  return pages;
}

function seesIn({ structure, principal }: Viewer, pageId: string): boolean {
  return effective(structure, principal, pageId) >= VIEW;
}

/** Whether nothing that decides the reader's access to a page has changed since the cursor. O(depth). */
function isUntouched({ now, changedPages }: Sight, pageId: string): boolean {
  if (changedPages === null) return false;
  for (const { id } of pathUp(now.structure, pageId)) if (changedPages.has(id)) return false;
  return true;
}

/**
 * Whether nothing that decides the reader's access to a page has changed from one structure to the other, nor was
 * changed and changed back: structures share the records that stay. O(depth).
 */
function hasSameAccess(before: Viewer, now: Viewer, pageId: string): boolean {
  if (before.member !== now.member || before.structure.workspace !== now.structure.workspace) return false;
  for (const page of pathUp(now.structure, pageId)) if (before.structure.page(page.id) !== page) return false;
  return true;
}
