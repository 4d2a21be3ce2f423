import type { Store } from '../ports/store.ts';
import { isId, isUsableAlias } from './alias.ts';

/** The id of no workspace. */
const NO_ID = '00000000-0000-0000-0000-000000000000';

/**
 * The input of a use case with the id of its workspace where it names the alias. An alias that no workspace has becomes
 * an id that no workspace has, so that it is answered like one that the caller may not see.
 */
export function withWorkspaceId(store: Store, input: unknown): unknown {
  const named = (input as { readonly workspaceId?: unknown } | undefined)?.workspaceId;
  if (typeof named !== 'string' || isId(named)) return input;
  return idOf(store, named).then((workspaceId) => ({ ...(input as object), workspaceId }));
}

/** An alias never changes. Who may use it is for the call that follows to decide. */
async function idOf(store: Store, named: string): Promise<string> {
  if (!isUsableAlias(named)) return NO_ID;
  const workspace = await store.read((tx) => tx.workspaces.by({ alias: named }));
  return workspace?.id ?? NO_ID;
}
