import type { Store } from '../ports/store.ts';
import { isId } from '../kernel/id.ts';
import { isUsableAlias } from './alias.ts';

/** An id that no workspace has. */
const NO_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Replaces an alias in `workspaceId` by the id. An unknown alias becomes an id that no workspace has, so that the
 * answer is the same as for a workspace that the caller may not see.
 */
export function withWorkspaceId(store: Store, input: unknown): unknown {
  const named = (input as { readonly workspaceId?: unknown } | undefined)?.workspaceId;
  if (typeof named !== 'string' || isId(named)) return input;
  return idOf(store, named).then((workspaceId) => ({ ...(input as object), workspaceId }));
}

/** Aliases never change, so this may be a transaction of its own. The call that follows decides about access. */
async function idOf(store: Store, named: string): Promise<string> {
  if (!isUsableAlias(named)) return NO_ID;
  const workspace = await store.read((tx) => tx.workspaces.by({ alias: named }));
  return workspace?.id ?? NO_ID;
}
