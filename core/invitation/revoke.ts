import type { Context } from '../ports/context.ts';
import type { Member } from '../model/member.ts';
import { changed, timestamp } from '../kernel/record.ts';
import type { Transaction } from '../ports/store.ts';

/** Revokes the pending invitations that a member issued. */
export async function invitationsRevoked(tx: Transaction, context: Context, issuer: Member): Promise<void> {
  for (const invitation of await tx.invitations.pendingBy(issuer.workspaceId, issuer.id)) {
    await tx.invitations.replace(changed(invitation, { status: 'revoked' }, timestamp(context)));
  }
}
