import { sees, type Viewer } from '../access/viewer.ts';
import { memberNames, pageName, type MemberName, type PageName } from '../names/names.ts';
import type { ReadTransaction } from '../ports/store.ts';
import type { Structure } from '../model/workspace/structure.ts';
import type { Invitation, InvitationGrant } from '../model/workspace/invitation.ts';

/** An invitation, as it is read. */
export interface InvitationView extends Omit<Invitation, 'status' | 'issuerMembership'> {
  /** The name of the workspace. */
  readonly workspaceName: string;
  /** `expired` follows from `expiresAt`. */
  readonly status: 'pending' | 'accepted' | 'revoked' | 'expired';
  /** Only pages that the reader may see are included. */
  readonly pages: readonly InvitationGrant[];
  /** Present if requested with `expand`. */
  readonly expanded?: InvitationNames;
}

/** What can be expanded in an invitation. */
export const INVITATION_EXPANSIONS = ['createdBy', 'member', 'pages'] as const;
/** An id of an invitation that `expand` resolves to a name. */
export type InvitationExpansion = (typeof INVITATION_EXPANSIONS)[number];

/** The names of the ids in an invitation. */
export interface InvitationNames {
  /** The member who created it. */
  readonly createdBy?: MemberName;
  /** Null until it is accepted. */
  readonly member?: MemberName | null;
  /** In the order of `pages`. */
  readonly pages?: readonly PageName[];
}

/** Adds the requested names to invitations. One read for all. */
export async function invitationsWithNames(
  tx: ReadTransaction,
  viewer: Viewer,
  invitations: readonly InvitationView[],
  expand: readonly InvitationExpansion[] = [],
): Promise<readonly InvitationView[]> {
  if (expand.length === 0) return invitations;
  const asked = new Set(expand);
  const named = invitations.flatMap(({ createdById, memberId }) => [
    asked.has('createdBy') ? createdById : null,
    asked.has('member') ? memberId : null,
  ]);
  const nameOf = await memberNames(tx, viewer, named);
  return invitations.map((one) => ({
    ...one,
    expanded: {
      ...(asked.has('createdBy') && { createdBy: nameOf(one.createdById) }),
      ...(asked.has('member') && { member: one.memberId === null ? null : nameOf(one.memberId) }),
      ...(asked.has('pages') && { pages: one.pages.flatMap(({ pageId }) => pageName(viewer, pageId) ?? []) }),
    },
  }));
}

/** @param reader null for a user who is not a member, and sees no pages */
export function invitationView(
  invitation: Invitation,
  structure: Structure,
  reader: Viewer | null,
  now: string,
): InvitationView {
  const { issuerMembership: _, ...shown } = invitation;
  return {
    ...shown,
    workspaceName: structure.workspace.name,
    status: statusAt(invitation, structure, now),
    pages: invitation.pages.filter(({ pageId }) => reader !== null && sees(reader, pageId)),
  };
}

/**
 * A pending invitation is revoked when the membership that issued it ends. That is derived, not written at once, and
 * stays so if the issuer rejoins.
 */
export function statusAt(invitation: Invitation, structure: Structure, now: string): InvitationView['status'] {
  if (invitation.status !== 'pending') return invitation.status;
  if (isRevokedWithIssuer(invitation, structure)) return 'revoked';
  return invitation.expiresAt <= now ? 'expired' : 'pending';
}

/** Whether the membership in which it was issued has ended. */
export function isRevokedWithIssuer(invitation: Invitation, structure: Structure): boolean {
  const issuer = structure.member(invitation.createdById);
  return issuer?.active !== true || issuer.membership !== invitation.issuerMembership;
}
