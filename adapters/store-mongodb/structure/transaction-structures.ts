import type { Structure } from '../../../core/model/workspace/structure.ts';
import type { VersionedCache } from '../caches.ts';
import type { DocumentReader } from '../query/documents.ts';

/** The prefix of keys in the cache of a transaction. */
const PREFIX = 'structure ';

/** A structure that a transaction has read or written. A weight of null: it is cached already. */
interface KeptStructure {
  readonly structure: Structure;
  readonly weight: number | null;
}

/** @param kept undefined: the workspace is removed */
export function keepStructure(
  { transactionCache }: DocumentReader,
  workspaceId: string,
  kept: KeptStructure | undefined,
): void {
  transactionCache.set(PREFIX + workspaceId, kept);
}

/** The structure that a transaction has read or written, if any. */
export function structureIn({ transactionCache }: DocumentReader, workspaceId: string): Structure | undefined {
  return (transactionCache.get(PREFIX + workspaceId) as KeptStructure | undefined)?.structure;
}

/**
 * Caches loaded and changed structures, and drops those of removed workspaces, which are not read again. To be called
 * after the commit, or when a read is validated.
 */
export function cacheStructures(kept: Iterable<readonly [string, unknown]>, cache: VersionedCache<Structure>): void {
  for (const [key, value] of kept) {
    if (!key.startsWith(PREFIX)) continue;
    const workspaceId = key.slice(PREFIX.length);
    const found = value as KeptStructure | undefined;
    if (found === undefined) cache.delete(workspaceId);
    else if (found.weight !== null) cache.set(workspaceId, found.structure.revision, found.structure, found.weight);
  }
}

/** The structures that a transaction has read and not changed. */
export function structuresAt(
  kept: Iterable<readonly [string, unknown]>,
  revisionBefore: (workspaceId: string) => number | undefined,
): readonly (readonly [key: string, value: unknown])[] {
  return [...kept].filter(([key, value]) => {
    if (!key.startsWith(PREFIX) || value === undefined) return false;
    const { structure } = value as KeptStructure;
    return structure.revision === revisionBefore(structure.workspace.id);
  });
}
