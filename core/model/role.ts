import { DENIED, EDIT, FULL, type Level } from './level.ts';

/** A member's rank in a workspace. A role outside this list has no access. */
export type Role = 40 | 30 | 20 | 10;

export const OWNER = 40;
export const ADMIN = 30;
export const MEMBER = 20;
export const GUEST = 10;

export const ROLES: readonly Role[] = [OWNER, ADMIN, MEMBER, GUEST];

export const ROLE_NAMES: Readonly<Record<Role, string>> = { 40: 'Owner', 30: 'Admin', 20: 'Member', 10: 'Guest' };

/** The level of a role where no page says otherwise. */
export function baseLevel(role: number, defaultAccess: Level): Level {
  if (role === OWNER || role === ADMIN) return FULL;
  return role === MEMBER ? defaultAccess : DENIED;
}

/** The most an entry can give to a role. */
export function ceiling(role: number): Level {
  if (role === GUEST) return EDIT;
  return (ROLES as readonly number[]).includes(role) ? FULL : DENIED;
}
