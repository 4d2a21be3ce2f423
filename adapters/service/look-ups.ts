import { isId } from '../../core/kernel/id.ts';
import { readSlices } from '../../core/kernel/slices.ts';
import { OWNER } from '../../core/model/access/role.ts';
import { QUOTA_NAMES, type QuotaName } from '../../core/model/service/quotas.ts';
import type { Workspace } from '../../core/model/workspace/workspace.ts';
import type { User } from '../../core/model/user/user.ts';
import type { Espalier } from './espalier.ts';

/** Queries for the process that holds a store, which are not use cases. */

/** The quotas that were never set in this store. */
export async function unsetQuotas({ store }: Espalier): Promise<readonly QuotaName[]> {
  const stored = (await store.read((tx) => tx.settings.get({ latest: true })))?.quotas ?? {};
  return QUOTA_NAMES.filter((name) => stored[name] === undefined);
}

/**
 * An owner of the workspace who can sign in; undefined if there is none, null if there is no such workspace.
 *
 * @param workspace its alias or id
 */
export function workspaceOwner({ store }: Espalier, workspace: string): Promise<User | null | undefined> {
  return store.read(async (tx) => {
    const id = isId(workspace) ? workspace.toLowerCase() : (await tx.workspaces.by({ alias: workspace }))?.id;
    if (id === undefined) return null;
    const structure = await tx.structures.get(id);
    if (structure === null) return null;
    const owners = [...structure.members()].filter((member) => member.active && member.role === OWNER);
    const users = await tx.users.many(owners.map((member) => member.userId));
    return [...users.values()].find((user) => !user.disabled);
  });
}

/** All workspaces that pass a test. O(all workspaces). */
export async function workspacesWhere(
  { store }: Espalier,
  passes: (workspace: Workspace) => boolean,
): Promise<readonly Workspace[]> {
  const found: Workspace[] = [];
  const read = ({ after, limit }: { readonly after: Workspace | null; readonly limit: number }) =>
    store.read((tx) => tx.workspaces.list('all', {}, { after: after?.id ?? null, limit }));
  for await (const some of readSlices(500, read)) found.push(...some.filter(passes));
  return found;
}

/** Any service administrator; undefined if there is none. */
export async function someAdministrator({ store }: Espalier): Promise<User | undefined> {
  const [administrator] = await store.read((tx) => tx.users.list('administrators', {}, { limit: 1 }));
  return administrator;
}
