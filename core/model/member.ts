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
}

export function newMember(id: string, workspaceId: string, userId: string, role: number, at: string): Member {
  return { id, workspaceId, userId, role, position: '', active: true, leftAt: null, ...created(at) };
}
