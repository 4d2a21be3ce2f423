import { changed } from '../kernel/record.ts';
import { readSlices } from '../kernel/slices.ts';
import type { Invitation } from '../model/workspace/invitation.ts';
import type { Transaction } from '../ports/store.ts';

/** Pending invitations read by one query. */
const INVITATIONS_PER_QUERY = 100;

/** An ended membership of a member. */
export interface EndedMembership {
  readonly workspaceId: string;
  readonly memberId: string;
  readonly membership: number;
}

/**
 * Stores `revoked` in up to `limit` of the pending invitations that were issued in an ended membership. They are shown
 * as revoked from its end on; storing it takes them out of the index of pending ones.
 *
 * @returns whether any are left
 */
export async function revokeIssued(
  tx: Transaction,
  { workspaceId, memberId, membership }: EndedMembership,
  limit: number,
  now: string,
): Promise<boolean> {
  const issued = { workspaceId, createdById: memberId };
  let revoked = 0;
  const slices = readSlices<Invitation>(INVITATIONS_PER_QUERY, (part) =>
    tx.invitations.list('pendingBy', issued, part),
  );
  for await (const some of slices) {
    for (const invitation of some) {
      if (invitation.issuerMembership !== membership) continue;
      if (revoked === limit) return true;
      await tx.invitations.replace(changed(invitation, { status: 'revoked' }, now));
      revoked += 1;
    }
  }
  return false;
}
