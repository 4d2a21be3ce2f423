import type { Level } from '../model/level.ts';
import { sees, type Viewer } from '../access/viewer.ts';
import type { Workspace } from '../model/workspace.ts';
import type { Invitation } from '../model/invitation.ts';

export interface InvitationView extends Omit<Invitation, 'status'> {
  readonly workspaceName: string;
  readonly status: 'pending' | 'accepted' | 'revoked' | 'expired';
  /** Only pages that the reader may see. */
  readonly pages: readonly { readonly pageId: string; readonly access: Level }[];
}

/** @param reader null for one who is not a member, and sees no pages */
export function invitationView(
  invitation: Invitation,
  workspace: Workspace,
  reader: Viewer | null,
  now: string,
): InvitationView {
  return {
    ...invitation,
    workspaceName: workspace.name,
    status: statusAt(invitation, now),
    pages: invitation.pages.filter(({ pageId }) => reader !== null && sees(reader, pageId)),
  };
}

export function statusAt(invitation: Invitation, now: string): InvitationView['status'] {
  return invitation.status === 'pending' && invitation.expiresAt <= now ? 'expired' : invitation.status;
}
