import { levelOfEveryone, type AccessEntry } from './members-access.ts';
import type { Context } from '../ports/context.ts';
import { conflict, forbidden, found, notFound, unusable } from '../kernel/errors.ts';
import type { Page } from '../model/page.ts';
import { pageAt } from '../page/read.ts';
import { changeStructure } from '../tree/build.ts';
import type { Structure } from '../model/structure.ts';
import { read, write } from '../write/transaction.ts';
import { FULL, VIEW, type Level } from '../model/level.ts';
import { effective } from './resolve.ts';
import { GUEST, OWNER } from '../model/role.ts';
import { viewerOf, levelOn } from './viewer.ts';

export interface Grant {
  readonly workspaceId: string;
  readonly pageId: string;
  readonly memberId: string;
  readonly access: Level;
}

/** Every active member, those at 0 too. A guest sees only the own entry. */
export function listAccessMembers(
  context: Context,
  input: { readonly workspaceId: string; readonly pageId: string },
): Promise<readonly AccessEntry[]> {
  return read(context, async (tx) => {
    const viewer = await viewerOf(tx, context, input.workspaceId);
    const page = pageAt(viewer, input.pageId, VIEW);
    const everyone = await levelOfEveryone(tx, viewer.structure, page);
    return viewer.member.role > GUEST ? everyone : everyone.filter((entry) => entry.memberId === viewer.member.id);
  });
}

/**
 * Sets a member's level on a page, in place of what was set there before.
 *
 * @throws `unusable-reference` for who is not a member, and for full access to a guest
 * @throws `owner-access` for anything but full access to an owner
 */
export function grantAccess(context: Context, input: Grant): Promise<AccessEntry> {
  return write(context, async (tx) => {
    const viewer = await viewerOf(tx, context, input.workspaceId);
    const page = pageAt(viewer, input.pageId, FULL);
    const member = viewer.structure.member(input.memberId);
    if (member === undefined || !member.active) throw unusable('memberId');
    requireGrantable(member.role, input.access);
    const structure =
      page.entries[member.id] === input.access
        ? viewer.structure
        : await tx.structures.change(viewer.structure, { pages: [withEntry(page, member.id, input.access)] });
    const entries = await levelOfEveryone(tx, structure, found(structure.page(page.id)));
    return found(entries.find((entry) => entry.memberId === member.id));
  });
}

/**
 * Removes what is set on a page for a member. The own entry may also be removed without full access, as
 * long as that does not raise one's access.
 */
export function revokeAccess(
  context: Context,
  input: { readonly workspaceId: string; readonly pageId: string; readonly memberId: string },
): Promise<void> {
  return write(context, async (tx) => {
    const viewer = await viewerOf(tx, context, input.workspaceId);
    const page = pageAt(viewer, input.pageId, VIEW);
    const has = levelOn(viewer, page.id);
    const own = input.memberId === viewer.member.id;
    if (has < FULL && !own) throw forbidden('This needs full access to the page.');
    if (!isShown(viewer.structure, input.memberId) || page.entries[input.memberId] === undefined) throw notFound();
    const change = { pages: [withoutEntry(page, input.memberId)] };
    if (effective(changeStructure(viewer.structure, change), viewer.principal, page.id) > has) {
      throw forbidden('Removing this entry would raise your own access.');
    }
    await tx.structures.change(viewer.structure, change);
  });
}

/** @throws `unusable-reference` or `owner-access` where a role cannot have the level */
export function requireGrantable(role: number, access: Level, field = 'access'): void {
  if (role === OWNER && access !== FULL) throw conflict('owner-access', 'An owner has full access everywhere.');
  if (role === GUEST && access === FULL) throw unusable(field);
}

export function withEntry(page: Page, memberId: string, access: Level): Page {
  return { ...page, entries: { ...page.entries, [memberId]: access } };
}

function withoutEntry(page: Page, memberId: string): Page {
  const { [memberId]: _, ...entries } = page.entries;
  return { ...page, entries };
}

/** The entries of who left wait unseen for their return. */
function isShown(structure: Structure, memberId: string): boolean {
  return structure.member(memberId)?.active === true;
}
