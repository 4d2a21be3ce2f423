import type { Level } from '../model/level.ts';
import { sees, type Viewer } from '../access/viewer.ts';
import type { Structure } from '../model/structure.ts';
import type { Invitation } from '../model/invitation.ts';

export interface InvitationView extends Omit<Invitation, 'status' | 'issuerMembership'> {
  readonly workspaceName: string;
  readonly status: 'pending' | 'accepted' | 'revoked' | 'expired';
  /** Only pages that the reader may see. */
  readonly pages: readonly { readonly pageId: string; readonly access: Level }[];
}

/** @param reader null for one who is not a member, and sees no pages */
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
 * With the membership in which it was issued ends an invitation that is pending: it is revoked then, without being
 * written, and stays so when its issuer comes back.
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
