import type { AccessEntry } from '../../core/access/members-access.ts';
import type { AccessSettingsView } from '../../core/access/settings.ts';
import type { PageView } from '../../core/page/view.ts';
import { OWNER } from '../../core/model/role.ts';

/** Where the level of a member on a page comes from. */
export type AccessSource = 'owner' | 'set here' | 'page default' | 'above' | 'role';

/** @param page undefined: it is not known whether there is a page above, so there may be */
export function sourceOf(
  { role, type }: Pick<AccessEntry, 'role' | 'type'>,
  { inherit }: Pick<AccessSettingsView, 'inherit'>,
  page: Pick<PageView, 'parentId' | 'parentHidden'> | undefined,
): AccessSource {
  if (role === OWNER) return 'owner';
  if (type === 'accepted') return 'set here';
  if (!inherit) return 'page default';
  return page !== undefined && page.parentId === null && !page.parentHidden ? 'role' : 'above';
}
