import type { HasMetadata } from '../metadata.ts';
import { created, type Versioned } from '../../kernel/record.ts';

/** A user's membership record in a workspace. It remains when they leave, so that their records keep their author. */
export interface Member extends Versioned, HasMetadata {
  /** UUID. It differs from the id of the user. */
  readonly id: string;
  /** The workspace that they are in. */
  readonly workspaceId: string;
  /** The user. */
  readonly userId: string;
  /** 40 Owner, 30 Admin, 20 Member, 10 Guest. */
  readonly role: number;
  /** Job title, up to 200 characters. */
  readonly position: string;
  /** False for a former member. */
  readonly active: boolean;
  /** The time when the membership ended; null while active. ISO 8601 UTC. */
  readonly leftAt: string | null;
  /** The number of the present or last membership: 1 for the first, plus one each time they rejoin. */
  readonly membership: number;
}

/** A member in a store or an export. One of an older release has no `membership`. */
export type StoredMember = Omit<Member, 'membership'> & { readonly membership?: number };

/** Without `membership` it is 1. */
export function memberFrom(stored: StoredMember): Member {
  return stored.membership === undefined ? { ...stored, membership: 1 } : (stored as Member);
}

export function newMember(id: string, workspaceId: string, userId: string, role: number, at: string): Member {
  return { id, workspaceId, userId, role, position: '', active: true, leftAt: null, membership: 1, ...created(at) };
}
