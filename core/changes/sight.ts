import { effective, principalOf, type Principal } from '../access/resolve.ts';
import type { Viewer } from '../access/viewer.ts';
import { VIEW } from '../model/level.ts';
import type { Structure } from '../model/structure.ts';

/** What the reader of changes may see now, and what they could see at their cursor. */
export interface Sight {
  readonly now: Viewer;
  /** Null if it is not known any more: then the reader is given the ids of all pages they see. */
  readonly before: Viewer | null;
}

/** @param structure the one at the cursor, if it is still cached */
export function sightOf(now: Viewer, structure: Structure | undefined): Sight {
  if (structure === undefined) return { now, before: null };
  const member = structure.memberOfUser(now.user.id);
  const principal: Principal | null = principalOf(member, now.user);
  // What was read in an earlier membership does not count.
  if (member === undefined || principal === null || principal.membership !== now.principal.membership) {
    return { now, before: null };
  }
  return { now, before: { ...now, member, principal, structure } };
}

/** Whether the reader sees a page now. */
export function seesNow({ now }: Sight, pageId: string | null): boolean {
  return pageId !== null && effective(now.structure, now.principal, pageId) >= VIEW;
}

/**
 * Whether the reader may have read what the page governs: they could see it at the cursor, as far as that is known, and
 * still can.
 */
export function mayHaveRead(sight: Sight, pageId: string | null): boolean {
  const { before } = sight;
  if (!seesNow(sight, pageId)) return false;
  return before === null || effective(before.structure, before.principal, pageId!) >= VIEW;
}
