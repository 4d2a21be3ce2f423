import { created, type Versioned } from '../kernel/record.ts';

/** A user's place in a workspace. One who left keeps the record, and with it authorship. */
export interface Member extends Versioned {
  /** UUID, not that of the user. */
  readonly id: string;
  /** The workspace that they are in. */
  readonly workspaceId: string;
  /** The user that they are. */
  readonly userId: string;
  /** 40 Owner, 30 Admin, 20 Member, 10 Guest. */
  readonly role: number;
  /** Job title, up to 200 characters. */
  readonly position: string;
  /** False for one who has left. */
  readonly active: boolean;
  /** When they left; null for active ones. ISO 8601 UTC. */
  readonly leftAt: string | null;
  /** Counts the memberships of this user in the workspace: 1 for the first, one more with every return. */
  readonly membership: number;
}

/** A member as a store or an export keeps it. One from before memberships were counted has no number. */
export type StoredMember = Omit<Member, 'membership'> & { readonly membership?: number };

/** A member without a number is in its first membership: everything it has belongs to the present one. */
export function memberFrom(stored: StoredMember): Member {
  return stored.membership === undefined ? { ...stored, membership: 1 } : (stored as Member);
}

export function newMember(id: string, workspaceId: string, userId: string, role: number, at: string): Member {
  return { id, workspaceId, userId, role, position: '', active: true, leftAt: null, membership: 1, ...created(at) };
}
