import { OWNER } from '../model/access/role.ts';
import type { AccessType } from './resolve.ts';

/**
 * Where a level on a page comes from. `owner`: an owner has full access; `entry`: set on the page for the member;
 * `default`: the page does not inherit, and has a level for role Member; `above`: the page above; `role`: the role
 * in the workspace.
 */
export const ACCESS_SOURCES = ['owner', 'entry', 'default', 'above', 'role'] as const;
/** Where the level of a member on a page comes from. */
export type AccessSource = (typeof ACCESS_SOURCES)[number];

/** @param page undefined if unknown; then a page above is assumed */
export function sourceOf(
  { role, type }: { readonly role: number; readonly type: AccessType },
  { inherit }: { readonly inherit: boolean },
  page: { readonly parentId: string | null; readonly parentHidden?: boolean } | undefined,
): AccessSource {
  if (role === OWNER) return 'owner';
  if (type === 'accepted') return 'entry';
  if (!inherit) return 'default';
  return page !== undefined && page.parentId === null && page.parentHidden !== true ? 'role' : 'above';
}
