import { effective, principalOf, type Principal } from '../access/resolve.ts';
import type { Viewer } from '../access/viewer.ts';
import { VIEW } from '../model/level.ts';
import type { Structure } from '../model/structure.ts';

/** What the reader of changes sees now, and what they saw at their cursor. */
export interface Sight {
  readonly now: Viewer;
  /** Null where that is not known any more: then the reader is told the pages that they see. */
  readonly before: Viewer | null;
}

/** @param structure of the cursor, if it is at hand */
export function sightOf(now: Viewer, structure: Structure | undefined): Sight {
  if (structure === undefined) return { now, before: null };
  const member = structure.memberOfUser(now.user.id);
  const principal: Principal | null = principalOf(member, now.user);
  // Of an earlier membership nothing is known to be held.
  if (member === undefined || principal === null || principal.membership !== now.principal.membership) {
    return { now, before: null };
  }
  return { now, before: { ...now, member, principal, structure } };
}

/** Whether the reader sees a page now. */
export function seesNow({ now }: Sight, pageId: string | null): boolean {
  return pageId !== null && effective(now.structure, now.principal, pageId) >= VIEW;
}

/** Whether they may hold what the page governed at the cursor: they saw it then, as far as that is known, and still do. */
export function held(sight: Sight, pageId: string | null): boolean {
  const { before } = sight;
  if (!seesNow(sight, pageId)) return false;
  return before === null || effective(before.structure, before.principal, pageId!) >= VIEW;
}
