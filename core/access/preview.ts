import type { Expanding } from '../kernel/record.ts';
import type { PageAddress } from '../model/address.ts';
import type { Context } from '../ports/context.ts';
import { pageAt, seenPage } from '../page/read.ts';
import { requireOutside } from '../page/place.ts';
import { inSteps, mapItems } from '../kernel/stepwise.ts';
import type { Member } from '../model/workspace/member.ts';
import { read } from '../write/transaction.ts';
import { activeMembers, withMemberNames, type EntryNames, type MemberExpansion } from './members-access.ts';
import { FULL, VIEW, type Level } from '../model/access/level.ts';
import { baseLevel } from '../model/access/role.ts';
import { levelUnder, principalOf, resolverAt, type Principal } from './resolve.ts';

/** The members whose access a move of a page would change. */
export interface AccessPreview {
  /** The members whose level on the page would change. Pages below it that inherit the level change too. */
  readonly changes: readonly AccessChange[];
}

/** How the level of one member on a page would change. */
export interface AccessChange {
  /** The member. */
  readonly memberId: string;
  /** 40 Owner, 30 Admin, 20 Member, 10 Guest. */
  readonly role: number;
  /** The level now. */
  readonly before: Level;
  /** The level after the move. */
  readonly after: Level;
  /** Present if requested with `expand`. */
  readonly expanded?: EntryNames;
}

/** What `access.preview` takes. */
export interface PreviewMove extends PageAddress, Expanding<MemberExpansion> {
  /** The new parent page. Null or absent: the top. */
  readonly parentId?: string | null;
}

/**
 * Whose level would change, and how, if the page moved under `parentId` (null or absent: to the top). Writes nothing.
 * O(members + depth).
 */
export function previewMove(context: Context, input: PreviewMove): Promise<AccessPreview> {
  return read(context, async (tx) => {
    const { viewer, page } = await pageAt(tx, context, input, FULL);
    const parentId = input.parentId ?? null;
    if (parentId !== null) seenPage(viewer, parentId, VIEW);
    requireOutside(viewer, page, parentId);
    const { structure } = viewer;
    const baseOf = ({ role }: Principal) => baseLevel(role, structure.workspace.defaultAccess);
    const { yielder } = viewer;
    const before = await inSteps(resolverAt(structure, page.id), yielder);
    const above = parentId === null ? null : await inSteps(resolverAt(structure, parentId), yielder);
    const { members, users } = await activeMembers(tx, structure, yielder);
    const changeOf = (member: Member) => {
      const who = principalOf(member, users.get(member.userId));
      if (who === null) return [];
      const levels = { before: before(who), after: levelUnder(page, who, above?.(who) ?? baseOf(who)) };
      return levels.before === levels.after ? [] : [{ memberId: member.id, role: member.role, ...levels }];
    };
    const changes = (await mapItems(members, yielder, changeOf)).flat();
    return { changes: await withMemberNames(tx, viewer, changes, input.expand) };
  });
}
