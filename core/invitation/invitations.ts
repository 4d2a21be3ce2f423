import { mapInSteps } from '../kernel/stepwise.ts';
import type { WorkspaceAddress } from '../model/address.ts';
import { requireGrantable } from '../access/entries.ts';
import { DENIED, FULL } from '../model/access/level.ts';
import { ADMIN, MEMBER, type Role } from '../model/access/role.ts';
import { viewerOf, levelOn, requireRole, viewerIn, type Viewer } from '../access/viewer.ts';
import { type ListInTime, visibleSlice } from '../access/visible-slice.ts';
import type { Context } from '../ports/context.ts';
import { EspalierError, forbidden, found, invalid, notFound, unusable } from '../kernel/errors.ts';
import {
  changed,
  created,
  DEFAULT_LIMIT,
  expectVersion,
  timestamp,
  type Slice,
  type Paging,
  type Expanding,
} from '../kernel/record.ts';
import { listKey } from '../kernel/list-cursor.ts';
import type { ReadTransaction } from '../ports/store.ts';
import { read, write } from '../write/transaction.ts';
import { requireUser } from '../access/identify.ts';
import { foldEmail, type User } from '../model/user/user.ts';
import type { Invitation, InvitationGrant } from '../model/workspace/invitation.ts';
import {
  invitationsWithNames,
  invitationView,
  statusAt,
  type InvitationExpansion,
  type InvitationView,
} from './view.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** What `invitations.create` takes: a new invitation. */
export interface CreateInvitation extends WorkspaceAddress {
  /** The address of the invited person. Absent or null: anyone who has the id may accept. */
  readonly email?: string | null;
  /** Default 20, Member. */
  readonly role?: Role;
  /** Levels granted on joining. */
  readonly pages?: readonly InvitationGrant[];
  /** 1 hour to 90 days from now. Default 7 days. */
  readonly expiresAt?: string;
}

/** What `invitations.list` takes. */
export interface ListInvitations extends WorkspaceAddress, Paging, Expanding<InvitationExpansion> {}

/** Which invitation of a workspace: what `invitations.revoke` takes. */
export interface InvitationAddress extends WorkspaceAddress, InvitationId {}

/** What `invitations.get` takes. */
export interface GetInvitation extends InvitationAddress, Expanding<InvitationExpansion> {}

/** An invitation by its id alone. */
export interface InvitationId {
  /** The invitation: its id is the secret. */
  readonly invitationId: string;
}

/** The role may be at most the caller's own; grants need full access to their pages. For role Admin and above. */
export function createInvitation(context: Context, input: CreateInvitation): Promise<InvitationView> {
  return write(context, async (tx) => {
    const viewer = await viewerOf(tx, context, input.workspaceId);
    requireRole(viewer, ADMIN);
    // The id is a secret. Set before any check can throw, so that a repeated call that fails here still counts as one
    // with a secret.
    if (context.effects !== undefined) context.effects.secret = true;
    const role = input.role ?? MEMBER;
    if (role > viewer.member.role) throw forbidden('You may not invite to a role above your own.');
    const now = context.clock.now();
    const expiresAt = input.expiresAt === undefined ? now + 7 * DAY : Date.parse(input.expiresAt);
    if (expiresAt < now + HOUR || expiresAt > now + 90 * DAY) {
      throw invalid('/expiresAt', 'must be 1 hour to 90 days from now');
    }
    const pages = input.pages ?? [];
    requireGrants(viewer, role, pages);
    const invitation: Invitation = {
      id: context.ids.secret(),
      workspaceId: input.workspaceId,
      email: input.email == null ? null : foldEmail(input.email),
      role,
      pages: pages.map(({ pageId, access }) => ({ pageId, access })),
      status: 'pending',
      createdById: viewer.member.id,
      issuerMembership: viewer.member.membership,
      expiresAt: new Date(expiresAt).toISOString(),
      acceptedAt: null,
      memberId: null,
      ...created(timestamp(context)),
    };
    await tx.invitations.insert(invitation);
    return invitationView(invitation, viewer.structure, viewer, timestamp(context));
  });
}

/** The most invitations that one call checks. */
const MAX_CHECKED = 5_000;

/**
 * Invitations to roles up to the caller's own, oldest first. For role Admin and above. A slice may hold fewer items
 * than its limit, even none, and still have a `next`. O(limit + 5,000).
 */
export function listInvitations(context: Context, input: ListInvitations): Promise<Slice<InvitationView>> {
  return read(context, async (tx) => {
    const viewer = await viewerOf(tx, context, input.workspaceId);
    requireRole(viewer, ADMIN);
    const { workspaceId, limit = DEFAULT_LIMIT } = input;
    const list: ListInTime<Invitation> = {
      key: listKey('invitations', { workspaceId }),
      read: (position, some) => {
        const after = position && { createdAt: position.time, ...(position.id !== null && { id: position.id }) };
        return tx.invitations.list('ofWorkspace', { workspaceId }, { after, limit: some });
      },
      timeOf: ({ createdAt }) => createdAt,
      areVisible: (invitations) => Promise.resolve(invitations.map(({ role }) => role <= viewer.member.role)),
      most: MAX_CHECKED,
    };
    const { items, next } = await visibleSlice(list, input.cursor, limit);
    const now = timestamp(context);
    const unitsOf = ({ pages }: Invitation) => 1 + pages.length;
    const shown = await mapInSteps(items, viewer.yielder, unitsOf, (one) =>
      invitationView(one, viewer.structure, viewer, now),
    );
    return { items: await invitationsWithNames(tx, viewer, shown, input.expand), next };
  });
}

/** For members who may manage it. */
export function getInvitation(context: Context, input: GetInvitation): Promise<InvitationView> {
  return read(context, async (tx) => {
    const { viewer, invitation } = await managed(tx, context, input);
    const shown = invitationView(invitation, viewer.structure, viewer, timestamp(context));
    return (await invitationsWithNames(tx, viewer, [shown], input.expand))[0]!;
  });
}

/** @throws `invitation-unusable` if it is no longer pending */
export function revokeInvitation(context: Context, input: InvitationAddress): Promise<void> {
  return write(context, async (tx) => {
    const { viewer, invitation } = await managed(tx, context, input);
    expectVersion(context, invitation);
    if (statusAt(invitation, viewer.structure, timestamp(context)) !== 'pending') {
      throw new EspalierError('invitation-unusable', 'The invitation is no longer pending.');
    }
    await tx.invitations.replace(changed(invitation, { status: 'revoked' }, timestamp(context)));
  });
}

/** By id alone, for its addressee and for members who may manage it. */
export function readInvitation(context: Context, input: InvitationId): Promise<InvitationView> {
  return read(context, async (tx) => {
    const user = await requireUser(tx, context);
    const invitation = found(await tx.invitations.get(input.invitationId));
    const structure = found(await tx.structures.get(invitation.workspaceId));
    const isMember = structure.memberOfUser(user.id)?.active === true;
    const viewer = isMember ? viewerIn(structure, { user, token: null }) : null;
    const manages = viewer !== null && viewer.member.role >= Math.max(ADMIN, invitation.role);
    if (!manages && !isAddressee(invitation, user)) throw notFound();
    return invitationView(invitation, structure, viewer, timestamp(context));
  });
}

/** Whether this user may accept: the invitation names their verified address, or nobody's. */
export function isAddressee(invitation: Invitation, user: User): boolean {
  return invitation.email === null || (user.emailVerified && invitation.email === user.email);
}

async function managed(
  tx: ReadTransaction,
  context: Context,
  input: InvitationAddress,
): Promise<{ readonly viewer: Viewer; readonly invitation: Invitation }> {
  const viewer = await viewerOf(tx, context, input.workspaceId);
  requireRole(viewer, ADMIN);
  const invitation = await tx.invitations.get(input.invitationId);
  const isHere = invitation?.workspaceId === input.workspaceId;
  if (!isHere || invitation.role > viewer.member.role) throw notFound();
  return { viewer, invitation };
}

function requireGrants(viewer: Viewer, role: Role, pages: readonly InvitationGrant[]): void {
  const seen = new Set<string>();
  for (const [i, { pageId, access }] of pages.entries()) {
    if (seen.has(pageId)) throw invalid(`/pages/${i}/pageId`, 'repeats a page');
    seen.add(pageId);
    const level = levelOn(viewer, pageId);
    if (level === DENIED) throw unusable(`pages/${i}/pageId`);
    if (level < FULL) throw forbidden('This needs Full Access on every page that the invitation grants.');
    requireGrantable(role, access, `pages/${i}/access`);
  }
}
