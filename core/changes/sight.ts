import { pathUp, principalOf, type Principal } from '../access/resolve.ts';
import { sees, type Viewer } from '../access/viewer.ts';
import { type LoggedChange, offsetOf } from '../model/log/change.ts';
import type { Structure } from '../model/workspace/structure.ts';

/** What the reader of changes may see now, and what they could see at their cursor. */
export interface Sight {
  readonly now: Viewer;
  /** At the cursor. Null if it is no longer known: then the reader gets the ids of all pages they see. */
  readonly before: Viewer | null;
  /** Of the structure at the cursor. */
  readonly revision: number;
  /** Whether nothing was logged after the changes of this answer. */
  readonly isAtEnd: boolean;
  /** Before the first answer of a catch-up, for changes up to an offset. Null: it is the same as `before`. */
  readonly earlier: EarlierSight | null;
  /** Pages that the answer before hid, and that this one shows again. */
  readonly shownAgain: ReadonlySet<string>;
  /** Where `before` is not known: the pages that were changed since the cursor. Null: not known either. */
  readonly changedPages: ReadonlySet<string> | null;
  readonly at: ViewerAt;
}

/** The reader at a revision of the structure, the same viewer each time. Null: not known any more. */
export type ViewerAt = (revision: number) => Viewer | null;

export interface EarlierSight {
  /** Null: no longer known. */
  readonly viewer: Viewer | null;
  readonly revision: number;
  /** The offset in the log up to which it counts. */
  readonly until: number;
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
  return pageId !== null && sees(now, pageId);
}

/**
 * Whether the reader has a copy of a record that a page governed from the cursor until a change. False also where an
 * event of this answer hides the page, or makes the reader read it again. Null: unknown; then the record may not be
 * named.
 */
export function hadCopy(sight: Sight, pageId: string | null, change: LoggedChange): boolean | null {
  const { before } = sight;
  if (pageId === null || isGoneOrNew(sight, pageId)) return false;
  if (isEarlier(sight, change)) return couldRead(sight, pageId, change);
  return before !== null || isUntouched(sight, pageId) || null;
}

/**
 * Whether the reader may have read, after the cursor, a record that has left a page which they see now. Also false if
 * they removed everything on that page. O(structures * depth).
 *
 * @param leaving the change by which it left the page
 */
export function couldRead(sight: Sight, pageId: string, leaving: LoggedChange): boolean | null {
  const { now, before, earlier, shownAgain, at } = sight;
  if (!seesNow(sight, pageId) || shownAgain.has(pageId)) return false;
  const found = leaving.fromRevision ?? leaving.revision;
  const then = found === null ? null : at(found);
  if (then !== null && sees(then, pageId)) return true;
  const isOfEarlier = isEarlier(sight, leaving);
  if (before === null) return (!isOfEarlier && isUntouched(sight, pageId)) || null;
  const from = isOfEarlier ? earlier!.viewer : before;
  if (from === null) return null;
  if (hasSameAccess(from, now, pageId)) return true;
  if (found === null) return null;
  const viewers = viewersBetween(from, found, at);
  return viewers === null || viewers.some((viewer) => sees(viewer, pageId)) ? null : false;
}

/** The most structures that are examined. With more in between, what the reader saw is unknown. */
const MAX_BETWEEN = 64;

/** The work of examining one page in all of these, in units of a yielder. */
export const UNITS_PER_PAGE = 64;

/** The reader in each structure from one to a later one. Null: some are not cached. */
export function viewersBetween(from: Viewer, to: number, at: ViewerAt): readonly Viewer[] | null {
  const first = from.structure.revision;
  if (to - first > MAX_BETWEEN) return null;
  const viewers = [from];
  for (let revision = first + 1; revision <= to; revision += 1) {
    const viewer = at(revision);
    if (viewer === null) return null;
    viewers.push(viewer);
  }
  return viewers;
}

/** Whether a change came before the reader got the structure of the cursor. */
export function isEarlier({ earlier }: Sight, change: LoggedChange): boolean {
  return earlier !== null && offsetOf(change) <= earlier.until;
}

/** Whether events of pages in this answer hide the page from the reader, or make them read it again. */
function isGoneOrNew(sight: Sight, pageId: string): boolean {
  const { before, shownAgain } = sight;
  return !seesNow(sight, pageId) || shownAgain.has(pageId) || (before !== null && !sees(before, pageId));
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
