import type { Level } from '../access/level.ts';
import type { Role } from '../access/role.ts';
import type { Versioned } from '../../kernel/record.ts';

/** A level on a page that an invitation grants on joining. */
export interface InvitationGrant {
  /** A page on which the issuer has 400. */
  readonly pageId: string;
  /** 400 full, 300 edit, 200 comment, 100 view, 0 denied. */
  readonly access: Level;
}

/** An invitation. Its id is a secret (UUID v4). `expired` is not stored: it follows from `expiresAt`. */
export interface Invitation extends Versioned {
  /** UUID v4: the secret to join with. */
  readonly id: string;
  /** The workspace of the invitation. */
  readonly workspaceId: string;
  /** Case-folded. Null: anyone who has the id may join. */
  readonly email: string | null;
  /** The role that it gives: 40 Owner, 30 Admin, 20 Member, 10 Guest. */
  readonly role: Role;
  /** Levels granted on joining. */
  readonly pages: readonly InvitationGrant[];
  /** Whether it is pending, accepted or revoked. */
  readonly status: 'pending' | 'accepted' | 'revoked';
  /** The member who issued it. */
  readonly createdById: string;
  /** The issuer's membership when they issued it, see {@link Member.membership}: its end revokes the invitation. */
  readonly issuerMembership: number;
  /** The time when it expires. ISO 8601 UTC. */
  readonly expiresAt: string;
  /** The time of acceptance; null before. ISO 8601 UTC. */
  readonly acceptedAt: string | null;
  /** The member who accepted it; null before. */
  readonly memberId: string | null;
}

/** An invitation in a store or an export. One of an older release has no `issuerMembership`. */
export type StoredInvitation = Omit<Invitation, 'issuerMembership'> & { readonly issuerMembership?: number };

/** Older releases revoked invitations when their issuer left, so a pending one without the field is of membership 1. */
export function invitationFrom(stored: StoredInvitation): Invitation {
  return stored.issuerMembership === undefined ? { ...stored, issuerMembership: 1 } : (stored as Invitation);
}
