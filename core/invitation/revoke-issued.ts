import { changed } from '../kernel/record.ts';
import type { Transaction } from '../ports/store.ts';

/** The membership of one member, which has ended. */
export interface EndedMembership {
  readonly workspaceId: string;
  readonly memberId: string;
  readonly membership: number;
}

/**
 * Notes as revoked up to `limit` of the pending invitations that were issued in a membership. They read so from its end
 * on; what is noted takes no room among the pending ones any more.
 *
 * @returns whether any are left
 */
export async function revokeIssued(
  tx: Transaction,
  { workspaceId, memberId, membership }: EndedMembership,
  limit: number,
  now: string,
): Promise<boolean> {
  const pending = await tx.invitations.pendingBy(workspaceId, memberId, membership, limit + 1);
  for (const invitation of pending.slice(0, limit)) {
    await tx.invitations.replace(changed(invitation, { status: 'revoked' }, now));
  }
  return pending.length > limit;
}
