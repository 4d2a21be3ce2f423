import type { WorkspaceAddress, MemberAddress } from '../model/address.ts';
import { ADMIN, MEMBER, OWNER, type Role } from '../model/access/role.ts';
import { viewerOf, requireRole, type Viewer } from '../access/viewer.ts';
import type { Context } from '../ports/context.ts';
import { forbidden, found, notFound } from '../kernel/errors.ts';
import { metadataOf, recordChanges, type WithMetadata, withMetadata, type WritesMetadata } from '../model/metadata.ts';
import { changed, expectVersion, timestamp } from '../kernel/record.ts';
import { inSteps, mapItems } from '../kernel/stepwise.ts';
import { membersById } from '../access/members-access.ts';
import type { ReadTransaction } from '../ports/store.ts';
import { NEVER_YIELD, type Yielder } from '../ports/yielder.ts';
import { read, write } from '../write/transaction.ts';
import { requireOtherOwner } from '../user/owners.ts';
import type { User } from '../model/user/user.ts';
import { endMembership } from './end-membership.ts';
import type { Member } from '../model/workspace/member.ts';

/** What `members.list` takes. */
export interface ListMembers extends WorkspaceAddress {
  /** Whether to include former members. Default false. */
  readonly former?: boolean;
}

/** What `members.update` takes: a member, and the fields to change. */
export interface UpdateMember extends MemberAddress, WritesMetadata {
  /** 40 Owner, 30 Admin, 20 Member, 10 Guest. At most the caller's own. */
  readonly role?: Role;
  /** Job title. */
  readonly position?: string;
}

/** A member with the profile of their user. */
export interface MemberView extends Omit<WithMetadata<Member>, 'membership'> {
  /** The user's name. */
  readonly name: string;
  /** The user's picture; null without one. */
  readonly avatar: string | null;
  /** The user's phone; null without one. */
  readonly phone: string | null;
  /** The user's e-mail address. */
  readonly email: string;
  /** The time of the last activity in the workspace, to the minute. ISO 8601 UTC. */
  readonly lastActivity: string;
}

/** A guest sees only themselves. */
export function listMembers(context: Context, input: ListMembers): Promise<readonly MemberView[]> {
  return read(context, async (tx) => {
    const viewer = await viewerOf(tx, context, input.workspaceId);
    return memberViews(tx, await membersSeen(viewer, input.former), viewer.yielder);
  });
}

/** The members that the viewer sees, by id. O(members) in steps. */
export function membersSeen(viewer: Viewer, former = false): Promise<readonly Member[]> {
  const isListed = (member: Member) => isShown(viewer, member) && (member.active || former);
  return inSteps(membersById(viewer.structure, isListed), viewer.yielder);
}

/**
 * For role Admin and above; neither the member's role nor the new one may be above the caller's own. Every member may
 * write their own metadata.
 *
 * @throws `last-owner`
 */
export function updateMember(context: Context, input: UpdateMember): Promise<MemberView> {
  return write(context, async (tx) => {
    const viewer = await viewerOf(tx, context, input.workspaceId);
    const member = shownMember(viewer, input.memberId);
    if (!isOwnMetadata(viewer, member, input)) requireRole(viewer, ADMIN);
    requireNotAbove(viewer, member.role);
    if (input.role !== undefined) requireNotAbove(viewer, input.role);
    expectVersion(context, member);
    const [shown] = await memberViews(tx, [member]);
    // `lastActivity` changes without a version, also by reading the record that is sent back here.
    const derived = ['memberId', 'lastActivity'];
    const writable = ['role', 'position'] as const;
    const { changes, metadata, isEmpty } = recordChanges(member, input, found(shown), writable, derived);
    if (isEmpty) return found(shown);
    if (member.role === OWNER && changes.role !== undefined)
      await requireOtherOwner(tx, viewer.structure, member, viewer.yielder);
    const next = changed(withMetadata(member, metadata), changes, timestamp(context));
    await tx.structures.change(viewer.structure, { members: [next] });
    return { ...found(shown), ...shownOf(next) };
  });
}

/** Whether an update writes nothing but metadata, and that of the caller themself. */
function isOwnMetadata(viewer: Viewer, member: Member, { role, position, metadata }: UpdateMember): boolean {
  const isSame = (role ?? member.role) === member.role && (position ?? member.position) === member.position;
  return member.id === viewer.member.id && isSame && metadata !== undefined;
}

/** Removes a member; the caller may remove themselves. @throws `last-owner` */
export function removeMember(context: Context, input: MemberAddress): Promise<void> {
  return write(context, async (tx) => {
    const viewer = await viewerOf(tx, context, input.workspaceId);
    const member = shownMember(viewer, input.memberId);
    if (member.id !== viewer.member.id) {
      requireRole(viewer, ADMIN);
      requireNotAbove(viewer, member.role);
    }
    expectVersion(context, member);
    if (member.role === OWNER) await requireOtherOwner(tx, viewer.structure, member, viewer.yielder);
    await endMembership(tx, context, viewer.structure, member);
  });
}

export async function memberViews(
  tx: ReadTransaction,
  members: readonly Member[],
  yielder: Yielder = NEVER_YIELD,
): Promise<MemberView[]> {
  const [users, activity] = await Promise.all([
    tx.users.many(await mapItems(members, yielder, ({ userId }) => userId)),
    tx.activity.of(await mapItems(members, yielder, ({ id }) => id)),
  ]);
  const shown = (member: Member) => viewOf(member, users.get(member.userId), activity.get(member.id));
  return mapItems(members, yielder, shown);
}

function viewOf(member: Member, user: User | undefined, active: string | undefined): MemberView {
  return {
    ...shownOf(member),
    name: user?.name ?? '',
    avatar: user?.avatar ?? null,
    phone: user?.phone ?? null,
    email: user?.email ?? '',
    lastActivity: active ?? member.createdAt,
  };
}

function shownOf({ membership: _, ...member }: Member): Omit<WithMetadata<Member>, 'membership'> {
  return { ...member, metadata: metadataOf(member) };
}

function isShown(viewer: Viewer, member: Member): boolean {
  return viewer.member.role >= MEMBER || member.id === viewer.member.id;
}

function shownMember(viewer: Viewer, memberId: string): Member {
  const member = viewer.structure.member(memberId);
  if (member === undefined || !member.active || !isShown(viewer, member)) throw notFound();
  return member;
}

function requireNotAbove(viewer: Viewer, role: number): void {
  if (role > viewer.member.role)
    throw forbidden('Your role must be at least as high as the role of the member and the new role.');
}
