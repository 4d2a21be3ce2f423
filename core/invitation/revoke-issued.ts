import { changed } from '../kernel/record.ts';
import type { Invitation } from '../model/invitation.ts';
import type { Transaction } from '../ports/store.ts';

/** Pending invitations looked at in one query. */
const LOOKED_AT = 100;

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
  const issued = { workspaceId, createdById: memberId };
  let revoked = 0;
  for (let after: Invitation | null = null; ;) {
    const behind: Invitation | null = after;
    const some: readonly Invitation[] = await tx.invitations.list('pendingBy', issued, {
      after: behind,
      limit: LOOKED_AT,
    });
    for (const invitation of some) {
      if (invitation.issuerMembership !== membership) continue;
      if (revoked === limit) return true;
      await tx.invitations.replace(changed(invitation, { status: 'revoked' }, now));
      revoked += 1;
    }
    if (some.length < LOOKED_AT) return false;
    after = some.at(-1)!;
  }
}
