import type { Expanding } from '../kernel/record.ts';
import type { MemberAddress, PageAddress } from '../model/address.ts';
import {
  accessOf,
  levelOfEveryone,
  withMemberNames,
  type AccessEntry,
  type MemberExpansion,
} from './members-access.ts';
import type { Context } from '../ports/context.ts';
import { conflict, found, notFound, unusable } from '../kernel/errors.ts';
import type { Member } from '../model/workspace/member.ts';
import { pageEntry } from '../model/access/page-entry.ts';
import type { Page } from '../model/workspace/page.ts';
import { pageAt } from '../page/read.ts';
import { read, write } from '../write/transaction.ts';
import { FULL, VIEW, type Level } from '../model/access/level.ts';
import { countingEntry } from './resolve.ts';
import { GUEST, OWNER } from '../model/access/role.ts';

/** What `access.grant` takes. */
export interface GrantAccess extends PageAddress {
  /** The member whose level is set: an active one. */
  readonly memberId: string;
  /** 400 full, 300 edit, 200 comment, 100 view, 0 denied. 400 is not for guests. */
  readonly access: Level;
}

/** What `access.members` takes. */
export interface ListAccessMembers extends PageAddress, Expanding<MemberExpansion> {}

/** What `access.revoke` takes. */
export interface RevokeAccess extends PageAddress, MemberAddress {}

/** Every active member, including those at 0. A guest sees only their own entry. */
export function listAccessMembers(context: Context, input: ListAccessMembers): Promise<readonly AccessEntry[]> {
  return read(context, async (tx) => {
    const { viewer, page } = await pageAt(tx, context, input, VIEW);
    const entries =
      viewer.member.role <= GUEST
        ? [await accessOf(tx, viewer.structure, page, viewer.member)]
        : await levelOfEveryone(tx, viewer, page);
    return withMemberNames(tx, viewer, entries, input.expand);
  });
}

/**
 * Sets a member's level on a page, replacing any earlier one.
 *
 * @throws `unusable-reference` for a member who is not active, and for full access to a guest
 * @throws `owner-access` for anything but full access to an owner
 */
export function grantAccess(context: Context, input: GrantAccess): Promise<AccessEntry> {
  return write(context, async (tx) => {
    const { viewer, page } = await pageAt(tx, context, input, FULL);
    const member = viewer.structure.member(input.memberId);
    if (member === undefined || !member.active) throw unusable('memberId');
    requireGrantable(member.role, input.access);
    const { level, membership } = page.entries[member.id] ?? {};
    const isSet = level === input.access && membership === member.membership;
    const structure = isSet
      ? viewer.structure
      : await tx.structures.change(viewer.structure, { pages: [withEntry(page, member, input.access)] });
    return accessOf(tx, structure, found(structure.page(page.id)), member);
  });
}

/**
 * Removes a member's entry on a page, from the present membership or an earlier one. Needs full access to the page,
 * also for one's own entry.
 */
export function revokeAccess(context: Context, input: RevokeAccess): Promise<void> {
  return write(context, async (tx) => {
    const { viewer, page } = await pageAt(tx, context, input, FULL);
    const member = viewer.structure.member(input.memberId);
    // Entries of a former member are kept, but hidden until they rejoin.
    if (member === undefined || !member.active || countingEntry(page, member) === undefined) throw notFound();
    await tx.structures.change(viewer.structure, { pages: [withoutEntry(page, member.id)] });
  });
}

/** @throws `unusable-reference` or `owner-access` if the role cannot have the level */
export function requireGrantable(role: number, access: Level, field = 'access'): void {
  if (role === OWNER && access !== FULL)
    throw conflict('owner-access', 'An owner has Full Access on every page: it cannot be changed.');
  if (role === GUEST && access === FULL) throw unusable(field);
}

/** The page with a level set for the present membership of a member. O(entries). */
export function withEntry(page: Page, { id, membership }: Pick<Member, 'id' | 'membership'>, access: Level): Page {
  return { ...page, entries: { ...page.entries, [id]: pageEntry(access, membership) } };
}

function withoutEntry(page: Page, memberId: string): Page {
  const { [memberId]: _, ...entries } = page.entries;
  return { ...page, entries };
}
