import type { Page } from '../../../core/model/page.ts';
import type { Removal } from '../../../core/tree/removal.ts';
import type { DocumentWriter } from '../query/document-writer.ts';
import { within } from '../query/query.ts';

/** Pages in one document of `sweeps`, which are marked in one step. */
const CHUNK = 100;

/**
 * Removes pages with all their descendants, in bounded time: only the topmost are marked as removed, which makes the
 * others unreachable. Their ids go to `sweeps`, to be marked in later steps.
 *
 * @param revision of the structure without them
 */
export async function removePages(
  documents: DocumentWriter,
  workspaceId: string,
  removal: Removal,
  revision: number,
): Promise<void> {
  for (const [top, below] of belowEach(removal)) {
    await documents.replace('pages', { _id: top, workspaceId, revision, removedAt: new Date() });
    for (let i = 0; i < below.length; i += CHUNK) {
      const ids = below.slice(i, i + CHUNK);
      await documents.insert('sweeps', { _id: `${top}/${revision}/${i}`, workspaceId, revision, ids });
    }
  }
}

/**
 * Marks up to `limit` descendants of a removed page with the revision of its removal, so that a process with an older
 * structure in its cache drops them wherever it has them. A page made since with the same id is newer, and stays.
 *
 * @returns whether any are left
 */
export async function removeDescendants(
  documents: DocumentWriter,
  workspaceId: string,
  removedPageId: string,
  limit: number,
): Promise<boolean> {
  const filter = { _id: { $gt: `${removedPageId}/`, $lt: `${removedPageId}0` } };
  const [chunk, next] = await documents.query({ from: 'sweeps', filter, sort: { _id: 1 }, limit: 2, workspaceId });
  if (chunk === undefined) return false;
  const { ids, revision } = chunk as unknown as { readonly ids: readonly string[]; readonly revision: number };
  const mark = { _id: '$_id', workspaceId: '$workspaceId', revision: { $literal: revision }, removedAt: '$$NOW' };
  const below = { ...within(workspaceId), _id: { $in: ids.slice(0, limit) }, revision: { $lt: revision } };
  await documents.writeUnindexed(
    'pages',
    { updateMany: { filter: below, update: [{ $replaceWith: mark }] } },
    workspaceId,
  );
  const rest = ids.slice(limit);
  if (rest.length > 0) await documents.replace('sweeps', { ...chunk, ids: rest });
  else await documents.remove('sweeps', chunk._id, workspaceId);
  return rest.length > 0 || next !== undefined;
}

/** By topmost page, the ids of its removed descendants. */
function belowEach({ pages, topmost }: Removal): ReadonlyMap<string, readonly string[]> {
  const byId = new Map(pages.map((page) => [page.id, page]));
  const below = new Map<string, string[]>(topmost.map(({ id }) => [id, []]));
  for (const page of pages) {
    if (below.has(page.id)) continue;
    let top = page;
    while (!below.has(top.id)) top = byId.get(top.parentId as string) as Page;
    below.get(top.id)?.push(page.id);
  }
  return below;
}
