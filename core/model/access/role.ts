import { DENIED, EDIT, FULL, type Level } from './level.ts';

export const OWNER = 40;
export const ADMIN = 30;
export const MEMBER = 20;
export const GUEST = 10;

/** A member's rank in a workspace, by name. A role outside this list has no access. */
export const Role = {
  /** Has full access to every page, and may delete the workspace. */
  Owner: OWNER,
  /** Manages members and invitations, and has full access where no page sets another level. */
  Admin: ADMIN,
  /** Has the workspace's default access, where no page sets another level. */
  Member: MEMBER,
  /** Sees only pages with an entry for them, and what inherits it. */
  Guest: GUEST,
} as const;

export type Role = (typeof Role)[keyof typeof Role];

/** All roles, from the most powerful down. */
export const ROLES: readonly Role[] = [OWNER, ADMIN, MEMBER, GUEST];

/** Names for people. */
export const ROLE_NAMES: Readonly<Record<Role, string>> = { 40: 'Owner', 30: 'Admin', 20: 'Member', 10: 'Guest' };

/** The level of a role where no page sets another. */
export function baseLevel(role: number, defaultAccess: Level): Level {
  if (role === OWNER || role === ADMIN) return FULL;
  return role === MEMBER ? defaultAccess : DENIED;
}

/** The highest level that an entry can give to a role. */
export function highestLevelOf(role: number): Level {
  if (role === GUEST) return EDIT;
  return (ROLES as readonly number[]).includes(role) ? FULL : DENIED;
}
