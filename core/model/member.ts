import { created, type Versioned } from '../kernel/record.ts';

/** A user's place in a workspace. One who left keeps the record, and with it authorship. */
export interface Member extends Versioned {
  readonly id: string;
  readonly workspaceId: string;
  readonly userId: string;
  readonly role: number;
  /** Job title, up to 200 characters. */
  readonly position: string;
  readonly active: boolean;
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
